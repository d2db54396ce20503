/** User-facing texts of this folder, in the order of its files. */

export const saved = "Saved.";
export const editMessage = "Edit message";
export const cancel = "Cancel";
export const save = "Save";
