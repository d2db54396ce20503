/** German texts of this folder. */

// search-dialog.tsx
export const search = "Suche";
export const searchFor = "Nachrichten, Dateien, Agenten und Räume suchen";
export const filters = "Filter";
export const kind = "Art";
export const allKinds = "Alles";
export const messages = "Nachrichten";
export const memory = "Gedächtnis";
export const agents = "Agenten";
export const rooms = "Räume";
export const workspaceFiles = "Dateien im Arbeitsbereich";
export const goToDate = (day: string, room: string): string => `Zum ${day} in ${room}`;
export const from = "Von";
export const anyone = "Allen";
export const room = "Raum";
export const allRooms = "Alle Räume";
export const since = "Seit";
export const until = "Bis";
export const searchHint = 'Alle Wörter müssen vorkommen. Setze eine Wortfolge in Anführungszeichen: "Wartung Heizung".';

// go-to-date.ts
export const nothingSince = (day: string): string => `Am ${day} oder danach gibt es keine Nachricht.`;

// results.tsx
export const results = "Ergebnisse";
export const noMatches = "Keine Treffer";
export const noMatchesHint = "Versuche es mit weniger oder anderen Wörtern, oder entferne einen Filter.";
export const searching = "Suche läuft";
export const tryAgain = "Erneut versuchen";
export const showMore = "Ältere Nachrichten anzeigen";
export const stillIndexing =
  "Einige Nachrichten oder Dateien werden noch indexiert. Vielleicht kommen weitere Ergebnisse hinzu.";
export const resultCount = (count: number): string => (count === 1 ? "1 Ergebnis" : `${count} Ergebnisse`);
export const formerMember = "Ehemaliges Mitglied";
export const placeIn = (name: string, place?: string): string => (place === undefined ? name : `${name}, ${place}`);
export const memoryOf = (name: string): string => `Gedächtnis von ${name}`;
export const workspaceOf = (name: string): string => `Arbeitsbereich von ${name}`;
