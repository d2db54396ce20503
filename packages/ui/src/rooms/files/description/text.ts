/** User-facing texts of this folder, in the order of its files. */

// picture-description.tsx
export const describedBy = (source: string): string => `Described by ${source} for models that do not see`;
export const notDescribed = (reason: string): string => `Not described. ${reason}`;
export const describeAgain = "Describe";
