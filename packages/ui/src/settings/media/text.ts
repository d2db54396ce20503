/** User-facing texts of this folder, in the order of its files. */
import type { MediaPart } from "@hearth/protocol";

// media-draft.ts
export const enterAKey = "Enter an API key.";
export const invalidKey = "This is not a valid key: keys contain no spaces. Copy the key again.";
export const invalidPrice = "Enter a number of dollars, such as 0.05.";
export const invalidAddress = "Enter an address, such as http://127.0.0.1:8080/v1.";

// media-section.tsx
export const media = "Speech and pictures";
export const mediaIntroduction =
  "Services that transcribe voice notes, read messages aloud, make pictures and describe them. To change one, first log in with a login link or a passkey. You can then change it for 15 minutes.";
export const parts: Readonly<Record<MediaPart, string>> = {
  transcribe: "Transcription",
  speak: "Speech",
  pictures: "Pictures",
  describe: "Descriptions of pictures",
};
export const offDetails: Readonly<Record<MediaPart, string>> = {
  transcribe: "Off. Models that do not accept audio cannot read voice notes.",
  speak: "Off. Messages are not read aloud.",
  pictures: "Off. Agents make no pictures.",
  describe: "Off. Models that do not see pictures get their names, and the text in them.",
};
export const test = "Test";
export const testPart = (title: string): string => `Test ${title}`;
export const setUp = "Set up";
export const setUpPart = (title: string): string => `Set up ${title}`;
export const change = "Change";
export const changePart = (title: string): string => `Change ${title}`;
export const turnOff = "Turn off";
export const turnOffPart = (title: string): string => `Turn off ${title}`;
export const turnOffTitle = (title: string): string => `Turn off ${title}?`;
export const turnOffEffect = "Its settings and its stored key are deleted.";
export const turnedOff = (title: string): string => `${title} turned off.`;

// media-result.tsx
export const testSucceeded = "The test succeeded.";
export const testFailed = "The test failed.";
export const testPicture = "The picture that the provider made";
export const testSound = (title: string): string => `Sound of the test of ${title}`;

// media-form.tsx
export const provider = "Provider";
export const providerHints: Readonly<Record<MediaPart, string>> = {
  transcribe: "The provider receives the recordings that people send to agents.",
  speak: "The provider receives the text of each message that a person listens to.",
  pictures: "The provider receives the prompts of agents, and the pictures that they change.",
  describe:
    "The model receives the pictures that people send to agents whose model does not see. Each picture is described once.",
};
export const kinds: Readonly<Record<string, string>> = {
  openai: "OpenAI, or a compatible server",
  whisper: "whisper.cpp server",
  deepgram: "Deepgram",
  program: "Program on the house's machine",
  gemini: "Google Gemini",
  fake: "Fake, for demonstrations",
  model: "Model of this house",
};
export const fields: Readonly<Record<"baseUrl" | "program" | "model" | "voice" | "language", string>> = {
  baseUrl: "Address (optional)",
  program: "Program (optional)",
  model: "Model (optional)",
  voice: "Voice (optional)",
  language: "Language (optional)",
};
export const fieldHints: typeof fields = {
  baseUrl: "The address of your own server.",
  program: "Its name or path, such as espeak-ng or piper. Default: espeak-ng.",
  model: "The name that the provider uses.",
  voice: "The name that the provider uses.",
  language: "A code such as en. Without one, the language is detected.",
};
export const describingModel = "Model";
export const describingModelHint = "A model that accepts pictures, as provider/model, such as openai/gpt-5-mini.";
export const defaultValue = (value: string): string => `Default: ${value}`;
export const prices: Readonly<Record<Exclude<MediaPart, "describe">, string>> = {
  transcribe: "Dollars for a minute (optional)",
  speak: "Dollars for a million characters (optional)",
  pictures: "Dollars for a picture (optional)",
};
export const priceHint = "For budgets. Default: the list price.";
export const saved = (title: string): string => `${title} saved.`;
export const save = "Save provider";
export const key = "API key";
export const secretHint =
  "The secret also needs an allowed use by model providers at this host. See the page Web & secrets.";
export const newKey = "New key";
export const noKey = "No key";
export const keyStorage = "Stored in a file on the server that only Hearth can read.";
export const secretNamed = (name: string): string => `Secret ${name}`;
export const storedKey = "Key stored by Hearth";
