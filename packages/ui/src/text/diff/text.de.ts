/** German texts of this folder. */

// diff.tsx
export const showAllLines = (count: string): string => `Alle ${count} Zeilen anzeigen`;

// diff-line.tsx
export const added = "Hinzugefügt: ";
export const removed = "Entfernt: ";

// split-diff.tsx
export const before = "Vorher";
export const after = "Nachher";
