/** German texts of this folder. */

// app.tsx
export const couldNotLoad = "Hearth konnte nicht geladen werden";
export const tryAgain = "Erneut versuchen";
export const logInToHearth = "Bei Hearth anmelden";
export const welcomeToHearth = "Willkommen bei Hearth";
export const inbox = "Posteingang";
export const brain = "Gehirn";
export const automations = "Automatisierungen";
export const design = "Design";
export const restoredHouse = "Wiederhergestelltes Haus";
export const run = "Lauf";

// boundary.tsx
export const unexpectedError =
  "Ein unerwarteter Fehler ist aufgetreten. Wenn etwas nicht funktioniert, lade die Seite neu.";
export const pageCrashed = "Diese Seite ist abgestürzt";
export const pageCrashedDetail =
  "Hearth hat einen Fehler, oder es wurde aktualisiert, während diese Seite offen war. Lade die Seite neu. Deine Entwürfe bleiben in diesem Browser erhalten.";
export const reload = "Neu laden";

// connection-words.ts
export const youAreOffline = "Du bist offline. Deine Nachrichten werden gesendet, sobald du wieder online bist.";
export const reconnecting = "Nicht verbunden. Die Verbindung wird wiederhergestellt …";
export const hearthWasUpdated =
  "Hearth wurde aktualisiert. Lade die Seite neu, um die neue Version zu nutzen. Deine Entwürfe bleiben erhalten.";

// connection.tsx
export const connectedAgain = "Wieder verbunden.";
export const tryNow = "Jetzt versuchen";

// connecting.tsx
export const noAnswer = "Hearth antwortet nicht";
export const noAnswerDetail =
  "Vielleicht startet Hearth gerade, oder es ist gestoppt. Diese Seite versucht es automatisch erneut. Wenn das so bleibt, bitte die Person, die das Haus betreibt, Hearth zu starten.";
export const offline = "Du bist offline";
export const offlineDetail =
  "Hearth öffnet sich, sobald dieses Gerät wieder eine Netzverbindung hat. Entwürfe und nicht gesendete Nachrichten bleiben in diesem Browser erhalten.";
export const connecting = "Verbindung wird hergestellt";

// home-route.tsx
export const noAgentsYet = "Noch keine Agenten";
export const houseHasNoAgents = "Erstelle einen Agenten, um eine Unterhaltung zu beginnen.";
export const createAgent = "Agent erstellen";
export const noRoomsYet = "Noch keine Räume";
export const noRoomsDetail =
  "Ein Admin dieses Hauses kann dir Zugriff auf einen Raum geben. Diese Seite aktualisiert sich automatisch.";

// loading.tsx
export const loading = "Wird geladen";

// not-found.tsx
export const notFound = "Nicht gefunden";
export const pageNotFound = "Seite nicht gefunden";
export const pageNotFoundDetail =
  "Prüfe die Adresse. Vielleicht wurde der Raum oder die Seite umbenannt oder entfernt.";
export const goToStartPage = "Zur Startseite";

// room-route.tsx
export const noLongerInRoom = "Du hast keinen Zugriff mehr auf diesen Raum";
export const noLongerInRoomDetail =
  "Der Raum wurde entfernt, oder seine Mitglieder haben sich geändert. Ein Admin dieses Hauses kann dir wieder Zugriff geben. Diese Seite aktualisiert sich automatisch.";

// shell.tsx
export const skipToContent = "Zum Inhalt springen";
export const menuWithNewMessages = "Chats und Einstellungen, neue Nachrichten";
export const menu = "Chats und Einstellungen";
export const searchHouse = "Haus durchsuchen";
export const viewBackups = "Sicherungen anzeigen";
export const backupsNeedAttention = "Eine Sicherung dieses Hauses ist überfällig oder fehlgeschlagen.";
export const resumeAll = "Alle fortsetzen";
export const allAgentsAreStopped = "Alle Agenten sind gestoppt. Neue Nachrichten warten, bis du sie fortsetzt.";

// side-bar.tsx
export const newRoom = "Neuer Raum";
export const house = "Haus";
export const chats = "Chats";
export const pinned = "Angeheftet";
export const recent = "Zuletzt";
export const groups = "Gruppen";
export const archived = (count: number): string => `Archiviert (${count})`;
export const pages = "Seiten";
export const agents = "Agenten";
/** The keys that open the search, with the control key and with the command key. */
export const searchKeys = { control: "Strg K", command: "⌘K" } as const;
export const settings = "Einstellungen";
export const account = "Konto";
export const logOut = "Abmelden";
export const newMessages = "Neue Nachrichten";
export const stopped = "Gestoppt";
const themeNames: Readonly<Record<string, string>> = { system: "System", light: "Hell", dark: "Dunkel" };
export const themeButton = (theme: string, next: string): string =>
  `Farbschema: ${themeNames[theme] ?? theme}. Zu ${themeNames[next] ?? next} wechseln`;

// stop-everything.tsx
export const cancel = "Abbrechen";
export const allAgentsStopped = "Alle Agenten gestoppt.";
export const stopAllAgents = "Alle Agenten stoppen";
export const stopAllAgentsTitle = "Alle Agenten stoppen?";
export const stopAllAgentsEffect =
  "Aktuelle Läufe stoppen sofort, und neue beginnen erst, wenn du die Agenten fortsetzt. Nachrichten warten.";
