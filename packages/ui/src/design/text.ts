/**
 * User-facing texts of this folder, in the order of its files. `*-words.ts` holds texts that depend
 * on data.
 */

// announcer.tsx
export const announcements = "Announcements";
export const dismiss = "Dismiss";

// button.tsx
export const loading = "Loading";

// dialog.tsx
export const close = "Close";
export const cancel = "Cancel";

// filter-bar.tsx
export const clearFilters = "Clear filters";

// notice.tsx
export const details = "Details";
export const pageFailed = "Something went wrong on this page.";
export const pageFailedDetail = "Try again. If the error returns, reload the page.";

// table.tsx
export const selectAll = "Select all";
export const select = (name: string): string => `Select ${name}`;
