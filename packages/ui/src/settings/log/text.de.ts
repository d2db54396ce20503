/** German texts of this folder. */

// log-section.tsx
export const log = "Protokoll";
export const logIntroduction =
  "Die letzten 200 Ereignisse und Probleme dieses Hauses. Das Protokoll enthält nie Nachrichten oder Schlüssel.";
export const level = "Stufe";
export const levelChoices = {
  debug: "Alle",
  info: "Ab Information",
  warn: "Warnungen und Fehler",
  error: "Fehler",
} as const;
export const levelTitles = { debug: "Diagnose", info: "Information", warn: "Warnung", error: "Fehler" } as const;
export const contains = "Enthält";
export const follow = "Mitlesen";
export const notWritten =
  "Dieses Haus schreibt keine Protokolldatei. Die Zeilen gehen an die Standardfehlerausgabe des Programms.";
export const noLines = "Keine Zeilen";
export const message = "Meldung";
export const time = "Zeit";
