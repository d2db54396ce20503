/** User-facing texts of this folder, in the order of its files. */

// list-table.tsx
export const filtersOf = (list: string): string => `Filters of ${list}`;
export const search = "Search";
export const noMatches = "No matches";
export const clearFilters = "Clear filters";
export const selectedOf = (list: string): string => `Selected: ${list}`;
export const selectedCount = (count: number): string => `${count} selected`;
export const changes = "Actions";
export const changesOf = (name: string): string => `Actions of ${name}`;
