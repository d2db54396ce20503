/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// field-error.ts
export const nameIsTaken = "This name is taken, or too similar to another one. Choose another name.";

// model-chooser.tsx
export const loading = "Loading";
export const searchingForModels = "Searching the server for keys and models…";
export const tryAgain = "Try again";
export const test = "Test";
export const testDetail = "Sends one small request.";

// model-draft.ts
export const selectAModelSource = "Select a model source.";
export const enterAnApiKey = "Enter an API key.";
export const enterAnAddress = "Enter an address, such as http://127.0.0.1:8080/v1.";
export const invalidKey = "This is not a valid key: keys contain no spaces. Copy the key again.";
export const chooseAModel = "Choose a model.";
export const invalidModelName = "Enter a model name without spaces.";

// model-field.tsx
export const model = "Model";
export const modelSuggestions = (count: number): string =>
  count === 1
    ? "1 suggestion. You can also type another name."
    : `${count} suggestions. You can also type another name.`;
export const modelHint = "The name that the provider uses. Leave this empty and press Test to list the models.";
export const typedModelHint = "The name that the provider uses.";

// model-test.ts
export const noModelsListed = "Connected, but the server lists no models.";
export const enterAModelName = "Enter the name of a model.";
export const connected = (models: string): string => `Connected: ${models}.`;
export const answeredIn = (duration: string): string => `The model answered in ${duration}.`;
export const noAnswer = "The model did not answer.";

// provider-fields.tsx
export const provider = "Provider";
export const apiKey = "API key";
export const keyIsStored = "A key is stored. Enter another one to replace it. ";
export const keyStorage = "Stored in a file on the server that only Hearth can read.";
export const address = "Address";
export const addressHint = "Address of the OpenAI-compatible API, usually ending in /v1.";
export const addressExample = "http://127.0.0.1:8080/v1";
export const optionalApiKey = "API key (optional)";
export const createKeyAt = (host: string): string => `Create a key at ${host}`;

// sources.ts
export const notReady = "Not ready";
export const atHost = (host: string): string => `, at ${host}`;
export const keyFoundIn = (place: string): string => `Key found in ${place}`;
export const theEnvironment = "the environment";
export const keyFrom = (variable: string): string => `Key from ${variable}`;
export const keyStoredByHearth = "Key stored by Hearth";
export const noKeyNeeded = "No key needed";
export const foundOnServer = (models: string): string => `Found on the server, ${models}`;
export const found = "Found";
export const noModelsYet = "no models yet";
export const oneModel = "1 model";
export const modelCount = (count: number): string => `${count} models`;
export const openAiEndpoint = "OpenAI-compatible endpoint";
export const openAiEndpointDetail = "Any server with the OpenAI protocol";
export const noLanguageModel = "No language model";
export const noLanguageModelDetail =
  "The built-in offline helper understands remember, recall, list, read, write, run and help.";

// zone-field.tsx
export const unknownTimeZone = "Unknown time zone. Choose one from the list, such as Europe/Berlin.";
