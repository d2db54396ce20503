/** User-facing texts of this folder, in the order of its files. */

export const document = "Document";
export const previousPart = "Previous";
export const nextPart = "Next";
export const textOfDocument = "Text of the document";
export const noDocumentText = (why: string): string => `No text. ${why}`;
export const noTextHere = "This part has no text.";
export const textIsCut = "Only the beginning is shown. Download the file to read the rest.";
/** Formats the name of a part, such as "page 12", as a heading. */
export const titleOf = (place: string): string => place.charAt(0).toUpperCase() + place.slice(1);
