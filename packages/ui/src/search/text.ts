/** User-facing texts of this folder, in the order of its files. */

// search-dialog.tsx
export const search = "Search";
export const searchFor = "Search messages, files, agents and rooms";
export const filters = "Filters";
export const kind = "Kind";
export const allKinds = "Everything";
export const messages = "Messages";
export const memory = "Memory";
export const agents = "Agents";
export const rooms = "Rooms";
export const workspaceFiles = "Workspace files";
export const goToDate = (day: string, room: string): string => `Go to ${day} in ${room}`;
export const from = "From";
export const anyone = "Anyone";
export const room = "Room";
export const allRooms = "All rooms";
export const since = "Since";
export const until = "Until";
export const searchHint = 'All words must match. Put a phrase in quotes: "boiler service".';

// go-to-date.ts
export const nothingSince = (day: string): string => `There is no message on ${day} or later.`;

// results.tsx
export const results = "Results";
export const noMatches = "No matches";
export const noMatchesHint = "Try fewer or other words, or remove a filter.";
export const searching = "Searching";
export const tryAgain = "Try again";
export const showMore = "Show older messages";
export const stillIndexing = "Some messages or files are still being indexed. More results may follow.";
export const resultCount = (count: number): string => (count === 1 ? "1 result" : `${count} results`);
export const formerMember = "Former member";
export const placeIn = (name: string, place?: string): string => (place === undefined ? name : `${name}, ${place}`);
export const memoryOf = (name: string): string => `Memory of ${name}`;
export const workspaceOf = (name: string): string => `Workspace of ${name}`;
