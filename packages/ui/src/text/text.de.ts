/** German texts of this folder. */

// code-text.tsx
export const code = "Code";
export const codeIn = (language: string): string => `Code, ${language}`;
export const copy = "Kopieren";

// footnotes.tsx
export const footnotes = "Fußnoten";
export const footnote = (number: number): string => `Fußnote ${number}`;
export const backToText = (number: number): string => `Zurück zum Text von Fußnote ${number}`;

// inline.tsx
export const done = "Erledigt";
export const toDo = "Offen";
export const imageOf = (description: string): string => `Bild: ${description}`;
export const openImage = "Bild in neuem Tab öffnen";
export const sourceOfRun = (number: number): string => `Quelle ${number} im Lauf`;
export const leadsTo = (host: string): string => `führt zu ${host}`;

// markdown.tsx
export const table = "Tabelle";

// math.tsx
export const formula = "Formel";

// plain-text.tsx
export const showAllCharacters = (count: string): string => `Alle ${count} Zeichen anzeigen`;

// visible.tsx
export const invisibleCharacters = "Unsichtbare Zeichen";
