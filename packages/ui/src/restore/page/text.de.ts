/** German texts of this folder. */

// restore-page.tsx
export const restoredHouse = "Wiederhergestelltes Haus";
export const houseIsNotOnHold = "Dieses Haus ist nicht angehalten.";
export const houseContinues = "Das Haus ist nicht mehr angehalten.";
export const workDiscarded = "Wartende Arbeit verworfen. Das Haus ist nicht mehr angehalten.";
export const onHoldDetail =
  "Dieses Haus wurde aus einer Kopie wiederhergestellt und ist angehalten: Agenten laufen nicht, und es werden keine Nachrichten an Kanäle gesendet. Wenn das Haus weitermacht, wiederholt es vielleicht Arbeit, die nach dem Erstellen der Kopie erledigt wurde.";
export const continueWork = "Fortsetzen";
export const discardWork = "Wartende Arbeit verwerfen";
export const discardWorkTitle = "Wartende Arbeit verwerfen?";
export const discardWorkEffect =
  "Wartende Läufe werden gestoppt, wartende Nachrichten an Kanäle nicht gesendet und fällige Jobs übersprungen. Räume behalten alle ihre Nachrichten.";

// restore-work-list.tsx
/** `calls` began before the copy was made, with an unknown outcome. */
export const queuedRun = (agent: string, room: string, calls: readonly string[]): string =>
  `Lauf von ${agent} in ${room}${calls.length === 0 ? "" : `. Diese Aufrufe wurden vielleicht schon ausgeführt: ${calls.join(", ")}`}`;
export const unreadMessages = (count: number, room: string): string =>
  count === 1
    ? `1 Nachricht in ${room}, die kein Agent gelesen hat`
    : `${count} Nachrichten in ${room}, die kein Agent gelesen hat`;
export const messageToChannel = (channel: string): string => `Nachricht an den Kanal ${channel}`;
export const jobOf = (job: string, agent: string): string => `Job ${job} von ${agent}`;
export const approvalRequest = (agent: string, tool: string): string => `Anfrage von ${agent}, ${tool} zu verwenden`;
export const noQueuedWork = "Keine wartende Arbeit";
export const queuedWork = "Wartende Arbeit";
