/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// hold-banner.tsx
export const review = "Review";
export const houseIsOnHold = "This house was restored from a copy and is on hold.";
