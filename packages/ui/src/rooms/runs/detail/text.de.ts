/** German texts of this folder. The first load does not contain them. */

// tool-detail.tsx
export const command = "Befehl";
export const input = "Eingabe";
export const error = "Fehler";
export const output = "Ausgabe";
export const empty = "Leer";

// tool-undo.tsx
export const undo = "Rückgängig machen";
export const noVersion = "Dieser Aufruf hat keine Datei geändert, die noch eine frühere Version hat.";
