/** German texts of this folder. */

// invites-section.tsx
export const inviteLinks = "Einladungslinks";
export const inviteLinksDetail =
  "Eine Person ohne Konto öffnet den Link, wählt einen Namen und ein Passwort und wird Mitglied. Jeder Link funktioniert einmal.";
export const noInviteLinks = "Keine Einladungslinks";
export const untitled = "Einladungslink";
export const forWholeHouse = "das ganze Haus";
export const removedRoom = "ein entfernter Raum";
export const offer = (role: string, places: string): string => `${role}: ${places}`;
export const expires = (date: string): string => `Läuft ab am ${date}`;
export const usedBy = (name: string): string => `Von ${name}`;
export const formerMember = "einem ehemaligen Mitglied";
export const revoked = "Widerrufen";
export const expired = "Abgelaufen";
export const revoke = "Widerrufen";
export const open = "Offen";
export const used = "Verwendet";
export const state = "Status";
export const allStates = "Alle Zustände";
export const revokeCount = (count: number): string => (count === 1 ? "1 Link widerrufen" : `${count} Links widerrufen`);
export const revokeLinks = (count: number): string =>
  count === 1 ? "1 Link widerrufen?" : `${count} Links widerrufen?`;
export const revocationEffect = "Wer einen widerrufenen Link öffnet, kann dem Haus nicht beitreten.";
export const revokedCount = (count: number): string =>
  count === 1 ? "1 Link widerrufen." : `${count} Links widerrufen.`;

// make-invite.tsx
export const newRole = "Rolle des neuen Mitglieds";
export const access = "Zugriff";
export const wholeHouse = "Das ganze Haus";
export const wholeHouseDetail = "Alle Räume, die für Mitglieder offen sind.";
export const selectedRooms = "Ausgewählte Räume";
export const selectedRoomsDetail = "Sonst nichts im Haus.";
export const rights = "Die Person verwaltet auch";
export const rooms = "Räume";
export const selectARoom = "Wähle einen Raum aus.";
export const expiration = "Ablauf";
export const oneDay = "1 Tag";
export const oneWeek = "1 Woche";
export const thirtyDays = "30 Tage";
export const note = "Notiz";
export const noteHint = "Zum Beispiel, für wen der Link ist. Nur Admins sehen sie.";
export const createInviteLink = "Einladungslink erstellen";

// new-invite.tsx
export const newLink = "Einladungslink. Er wird nur einmal angezeigt.";
export const qrOfLink = "QR-Code des Einladungslinks";
export const copy = "Link kopieren";

// local-address-hint.tsx
export const onlyThisMachine =
  "Dieses Haus hat keine öffentliche Adresse, deshalb funktioniert der Link nur in Browsern auf dem Server.";
export const needsPublicAddress = "Gib dem Haus eine öffentliche Adresse und erstelle dann einen neuen Link.";
export const setUpRemoteAccess = "Fernzugriff einrichten";
export const askForPublicAddress = "Bitte die Person, die dieses Haus betreibt, ihm eine öffentliche Adresse zu geben.";
