/** German texts of this folder. */

// list-table.tsx
export const filtersOf = (list: string): string => `Filter: ${list}`;
export const search = "Suchen";
export const noMatches = "Keine Treffer";
export const clearFilters = "Filter zurücksetzen";
export const selectedOf = (list: string): string => `Ausgewählt: ${list}`;
export const selectedCount = (count: number): string => `${count} ausgewählt`;
export const changes = "Aktionen";
export const changesOf = (name: string): string => `Aktionen: ${name}`;
