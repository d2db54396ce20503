/** German texts of this folder. */

export const saved = "Gespeichert.";
export const editMessage = "Nachricht bearbeiten";
export const cancel = "Abbrechen";
export const save = "Speichern";
