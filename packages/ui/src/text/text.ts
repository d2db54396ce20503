/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// code-text.tsx
export const code = "Code";
export const codeIn = (language: string): string => `Code, ${language}`;
export const copy = "Copy";

// footnotes.tsx
export const footnotes = "Footnotes";
export const footnote = (number: number): string => `Footnote ${number}`;
export const backToText = (number: number): string => `Back to the text of footnote ${number}`;

// inline.tsx
export const done = "Done";
export const toDo = "To do";
export const imageOf = (description: string): string => `Image: ${description}`;
export const openImage = "Open image in new tab";
export const sourceOfRun = (number: number): string => `Source ${number} in the run`;
export const leadsTo = (host: string): string => `leads to ${host}`;

// markdown.tsx
export const table = "Table";

// math.tsx
export const formula = "Formula";

// plain-text.tsx
export const showAllCharacters = (count: string): string => `Show all ${count} characters`;

// visible.tsx
export const invisibleCharacters = "Invisible characters";
