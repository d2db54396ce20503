/** German texts of this folder. */

// field-error.ts
export const nameIsTaken = "Dieser Name ist vergeben oder einem anderen zu ähnlich. Wähle einen anderen Namen.";

// model-chooser.tsx
export const loading = "Wird geladen";
export const searchingForModels = "Auf dem Server wird nach Schlüsseln und Modellen gesucht …";
export const tryAgain = "Erneut versuchen";
export const test = "Testen";
export const testDetail = "Sendet eine kleine Anfrage.";

// model-draft.ts
export const selectAModelSource = "Wähle eine Modellquelle aus.";
export const enterAnApiKey = "Gib einen API-Schlüssel ein.";
export const enterAnAddress = "Gib eine Adresse ein, zum Beispiel http://127.0.0.1:8080/v1.";
export const invalidKey =
  "Das ist kein gültiger Schlüssel: Schlüssel enthalten keine Leerzeichen. Kopiere den Schlüssel noch einmal.";
export const chooseAModel = "Wähle ein Modell.";
export const invalidModelName = "Gib einen Modellnamen ohne Leerzeichen ein.";

// model-field.tsx
export const model = "Modell";
export const modelSuggestions = (count: number): string =>
  count === 1
    ? "1 Vorschlag. Du kannst auch einen anderen Namen eingeben."
    : `${count} Vorschläge. Du kannst auch einen anderen Namen eingeben.`;
export const modelHint =
  "Der Name, den der Anbieter verwendet. Lass das Feld leer und drücke „Testen“, um die Modelle aufzulisten.";
export const typedModelHint = "Der Name, den der Anbieter verwendet.";

// model-test.ts
export const noModelsListed = "Verbunden, aber der Server nennt keine Modelle.";
export const enterAModelName = "Gib den Namen eines Modells ein.";
export const connected = (models: string): string => `Verbunden: ${models}.`;
export const answeredIn = (duration: string): string => `Das Modell hat in ${duration} geantwortet.`;
export const noAnswer = "Das Modell hat nicht geantwortet.";

// provider-fields.tsx
export const provider = "Anbieter";
export const apiKey = "API-Schlüssel";
export const keyIsStored = "Ein Schlüssel ist gespeichert. Gib einen anderen ein, um ihn zu ersetzen. ";
export const keyStorage = "Gespeichert in einer Datei auf dem Server, die nur Hearth lesen kann.";
export const address = "Adresse";
export const addressHint = "Adresse der OpenAI-kompatiblen API. Sie endet meist mit /v1.";
export const addressExample = "http://127.0.0.1:8080/v1";
export const optionalApiKey = "API-Schlüssel (optional)";
export const createKeyAt = (host: string): string => `Schlüssel bei ${host} erstellen`;

// sources.ts
export const notReady = "Nicht bereit";
export const atHost = (host: string): string => `, unter ${host}`;
export const keyFoundIn = (place: string): string => `Schlüssel gefunden: ${place}`;
export const theEnvironment = "Umgebungsvariablen";
export const keyFrom = (variable: string): string => `Schlüssel aus ${variable}`;
export const keyStoredByHearth = "Schlüssel von Hearth gespeichert";
export const noKeyNeeded = "Kein Schlüssel nötig";
export const foundOnServer = (models: string): string => `Auf dem Server gefunden, ${models}`;
export const found = "Gefunden";
export const noModelsYet = "noch keine Modelle";
export const oneModel = "1 Modell";
export const modelCount = (count: number): string => `${count} Modelle`;
export const openAiEndpoint = "OpenAI-kompatibler Endpunkt";
export const openAiEndpointDetail = "Jeder Server mit dem Protokoll von OpenAI";
export const noLanguageModel = "Kein Sprachmodell";
export const noLanguageModelDetail =
  "Der eingebaute Offline-Helfer versteht remember, recall, list, read, write, run und help.";

// zone-field.tsx
export const unknownTimeZone = "Unbekannte Zeitzone. Wähle eine aus der Liste, zum Beispiel Europe/Berlin.";
