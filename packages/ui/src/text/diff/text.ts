/** User-facing texts of this folder, in the order of its files. */

// diff.tsx
export const showAllLines = (count: string): string => `Show all ${count} lines`;

// diff-line.tsx
export const added = "Added: ";
export const removed = "Removed: ";

// split-diff.tsx
export const before = "Before";
export const after = "After";
