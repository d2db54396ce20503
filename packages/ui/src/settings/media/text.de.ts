/** German texts of this folder. */
import type { MediaPart } from "@hearth/protocol";

// media-draft.ts
export const enterAKey = "Gib einen API-Schlüssel ein.";
export const invalidKey =
  "Das ist kein gültiger Schlüssel: Schlüssel enthalten keine Leerzeichen. Kopiere den Schlüssel noch einmal.";
export const invalidPrice = "Gib eine Zahl von Dollar ein, zum Beispiel 0.05.";
export const invalidAddress = "Gib eine Adresse ein, zum Beispiel http://127.0.0.1:8080/v1.";

// media-section.tsx
export const media = "Sprache und Bilder";
export const mediaIntroduction =
  "Dienste, die Sprachnachrichten transkribieren, Nachrichten vorlesen, Bilder erstellen und Bilder beschreiben. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an, um einen zu ändern. Du kannst ihn dann 15 Minuten lang ändern.";
export const parts: Readonly<Record<MediaPart, string>> = {
  transcribe: "Transkription",
  speak: "Sprachausgabe",
  pictures: "Bilder",
  describe: "Beschreibungen von Bildern",
};
export const offDetails: Readonly<Record<MediaPart, string>> = {
  transcribe: "Aus. Modelle, die kein Audio annehmen, können Sprachnachrichten nicht lesen.",
  speak: "Aus. Nachrichten werden nicht vorgelesen.",
  pictures: "Aus. Agenten erstellen keine Bilder.",
  describe: "Aus. Modelle, die keine Bilder sehen, bekommen deren Namen und den Text darin.",
};
export const test = "Testen";
export const testPart = (title: string): string => `${title} testen`;
export const setUp = "Einrichten";
export const setUpPart = (title: string): string => `${title} einrichten`;
export const change = "Ändern";
export const changePart = (title: string): string => `${title} ändern`;
export const turnOff = "Ausschalten";
export const turnOffPart = (title: string): string => `${title} ausschalten`;
export const turnOffTitle = (title: string): string => `${title} ausschalten?`;
export const turnOffEffect = "Die Einstellungen und der gespeicherte Schlüssel werden gelöscht.";
export const turnedOff = (title: string): string => `${title} ausgeschaltet.`;

// media-result.tsx
export const testSucceeded = "Der Test war erfolgreich.";
export const testFailed = "Der Test ist fehlgeschlagen.";
export const testPicture = "Das Bild, das der Anbieter erstellt hat";
export const testSound = (title: string): string => `Ton des Tests: ${title}`;

// media-form.tsx
export const provider = "Anbieter";
export const providerHints: Readonly<Record<MediaPart, string>> = {
  transcribe: "Der Anbieter bekommt die Aufnahmen, die Personen an Agenten senden.",
  speak: "Der Anbieter bekommt den Text jeder Nachricht, die sich eine Person anhört.",
  pictures: "Der Anbieter bekommt die Prompts von Agenten und die Bilder, die sie ändern.",
  describe:
    "Das Modell bekommt die Bilder, die Personen an Agenten senden, deren Modell nicht sieht. Jedes Bild wird einmal beschrieben.",
};
export const kinds: Readonly<Record<string, string>> = {
  openai: "OpenAI oder ein kompatibler Server",
  whisper: "whisper.cpp-Server",
  deepgram: "Deepgram",
  program: "Programm auf dem Rechner des Hauses",
  gemini: "Google Gemini",
  fake: "Attrappe, für Vorführungen",
  model: "Modell dieses Hauses",
};
export const fields: Readonly<Record<"baseUrl" | "program" | "model" | "voice" | "language", string>> = {
  baseUrl: "Adresse (optional)",
  program: "Programm (optional)",
  model: "Modell (optional)",
  voice: "Stimme (optional)",
  language: "Sprache (optional)",
};
export const fieldHints: typeof fields = {
  baseUrl: "Die Adresse deines eigenen Servers.",
  program: "Name oder Pfad, zum Beispiel espeak-ng oder piper. Standard: espeak-ng.",
  model: "Der Name, den der Anbieter verwendet.",
  voice: "Der Name, den der Anbieter verwendet.",
  language: "Ein Code, zum Beispiel de. Ohne Angabe wird die Sprache erkannt.",
};
export const describingModel = "Modell";
export const describingModelHint =
  "Ein Modell, das Bilder annimmt, als Anbieter/Modell, zum Beispiel openai/gpt-5-mini.";
export const defaultValue = (value: string): string => `Standard: ${value}`;
export const prices: Readonly<Record<Exclude<MediaPart, "describe">, string>> = {
  transcribe: "Dollar pro Minute (optional)",
  speak: "Dollar pro Million Zeichen (optional)",
  pictures: "Dollar pro Bild (optional)",
};
export const priceHint = "Für Budgets. Standard: der Listenpreis.";
export const saved = (title: string): string => `${title} gespeichert.`;
export const save = "Anbieter speichern";
export const key = "API-Schlüssel";
export const secretHint =
  "Das Geheimnis braucht auch eine erlaubte Verwendung durch Modellanbieter bei diesem Host. Siehe die Seite „Web & Geheimnisse“.";
export const newKey = "Neuer Schlüssel";
export const noKey = "Kein Schlüssel";
export const keyStorage = "Gespeichert in einer Datei auf dem Server, die nur Hearth lesen kann.";
export const secretNamed = (name: string): string => `Geheimnis ${name}`;
export const storedKey = "Schlüssel von Hearth gespeichert";
