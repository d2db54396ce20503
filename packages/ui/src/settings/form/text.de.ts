/** German texts of this folder. */

// name-field.tsx
export const enterAName = "Gib einen Namen ein.";
export const name = "Name";

// removal.tsx
export const remove = "Entfernen";
export const removeRecord = (shown: string): string => `${shown} entfernen`;
export const recordRemoved = (shown: string): string => `${shown} entfernt.`;
export const removeRecordTitle = (shown: string): string => `${shown} entfernen?`;

// section.tsx
export const saveForm = (subject: string | undefined): string =>
  subject === undefined ? "Speichern" : `${subject} speichern`;
export const discardChanges = "Änderungen verwerfen";
export const discardForm = (subject: string | undefined): string =>
  subject === undefined ? discardChanges : `${discardChanges}: ${subject}`;
export const savedState = "Gespeichert";

// shown-once.tsx
export const copied = "Kopiert.";
export const copiedState = "Kopiert";
export const done = "Fertig";
export const copyingNotAvailable = "In diesem Browser ist Kopieren nicht verfügbar. Markiere den Text und kopiere ihn.";

// use-record-form.ts
export const saved = "Gespeichert.";
