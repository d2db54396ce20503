/** User-facing texts of this folder, in the order of its files. The first load does not contain them. */

// tool-detail.tsx
export const command = "Command";
export const input = "Input";
export const error = "Error";
export const output = "Output";
export const empty = "Empty";

// tool-undo.tsx
export const undo = "Undo";
export const noVersion = "This call changed no file that still has an earlier version.";
