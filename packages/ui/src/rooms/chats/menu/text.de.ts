/** German texts of this folder. */

// chat-dialogs.tsx
export const renameChat = "Chat umbenennen";
export const title = "Titel";
export const titleHint = "Alle in diesem Chat sehen ihn. Ohne Titel heißt der Chat wie sein Agent.";
export const cancel = "Abbrechen";
export const save = "Speichern";
export const deleteTitle = (title: string): string => `${title} löschen?`;
export const deleteEffect =
  "Der Chat und seine Nachrichten verschwinden für alle, die daran teilnehmen. Was der Agent sich daraus gemerkt hat, bleibt in seinem Gedächtnis.";
export const deleted = (title: string): string => `${title} ist gelöscht.`;
export const couldNotChange = (title: string): string => `${title} konnte nicht geändert werden`;
export const date = "Datum";
export const dateHint = "Öffnet den Raum bei der ersten Nachricht dieses Tages oder danach.";
export const go = "Springen";

// chat-menu-items.tsx
export const goToDate = "Zu Datum springen";
export const rename = "Umbenennen";
export const pin = "Anheften";
export const unpin = "Loslösen";
export const archive = "Archivieren";
export const unarchive = "Aus dem Archiv holen";
export const notifications = "Benachrichtigungen";
export const roomSettings = "Raumeinstellungen";
export const brainOf = (agent: string): string => `Gehirn von ${agent}`;
export const deleteChat = "Löschen";
export const pinned = (title: string): string => `${title} ist angeheftet.`;
export const unpinned = (title: string): string => `${title} ist nicht mehr angeheftet.`;
export const archived = (title: string): string => `${title} ist archiviert. Du findest den Chat weiter mit der Suche.`;
export const unarchived = (title: string): string => `${title} ist wieder in der Liste.`;

// files-dialog.tsx
export const filesOf = (title: string): string => `Dateien von ${title}`;
export const senders = "Gesendet von";
export const allFiles = "Allen";
export const agentFiles = "Agenten";
export const files = "Dateien";
export const noFiles = "Keine Dateien.";
export const onlyNewest = (count: string): string =>
  `Ältere Dateien fehlen in der Liste: Dies sind die neuesten ${count}.`;
export const downloadFile = (name: string): string => `${name} herunterladen`;
export const factsOfFile = (author: string, size: string): string => `${author}, ${size}`;
export const showMessage = "Nachricht zeigen";
export const showMessageOf = (name: string): string => `Nachricht zeigen: ${name}`;

// new-chat-failure.tsx
export const couldNotBegin = "Es konnte kein Chat begonnen werden";
