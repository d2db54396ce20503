/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// name-field.tsx
export const enterAName = "Enter a name.";
export const name = "Name";

// removal.tsx
export const remove = "Remove";
export const removeRecord = (shown: string): string => `Remove ${shown}`;
export const recordRemoved = (shown: string): string => `${shown} removed.`;
export const removeRecordTitle = (shown: string): string => `Remove ${shown}?`;

// section.tsx
export const saveForm = (subject: string | undefined): string => (subject === undefined ? "Save" : `Save ${subject}`);
export const discardChanges = "Discard changes";
export const discardForm = (subject: string | undefined): string =>
  subject === undefined ? discardChanges : `${discardChanges}: ${subject}`;
export const savedState = "Saved";

// shown-once.tsx
export const copied = "Copied.";
export const copiedState = "Copied";
export const done = "Done";
export const copyingNotAvailable = "Copying is not available in this browser. Select the text and copy it.";

// use-record-form.ts
export const saved = "Saved.";
