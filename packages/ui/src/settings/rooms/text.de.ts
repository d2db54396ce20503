/** German texts of this folder. */

// new-room-page.tsx
export const description = "Beschreibung (optional)";
export const enterAName = "Gib einen Namen ein.";
export const roomCreated = (name: string): string => `${name} erstellt.`;
export const rooms = "Räume";
export const settingsOf = (name: string): string => `Einstellungen von ${name}`;
export const newRoom = "Neuer Raum";
export const newRoomAccess = "Der Raum ist für das ganze Haus offen, bis du das änderst.";
export const roomDescriptionHint = "Für Personen und Agenten sichtbar.";
export const createRoom = "Raum erstellen";

// room-admission.tsx
export const saved = "Gespeichert.";
export const cancel = "Abbrechen";
export const aFormerMember = "ehemaliges Mitglied";
export const wakeRules = "Weckregeln";
export const changeWakeRules = "Weckregeln ändern";
export const saveWakeRules = "Weckregeln speichern";
export const membersWhoCanWakeAgents = "Mitglieder, die Agenten wecken können";
export const everyoneWithWriteAccess = "Alle mit Schreibzugriff";
export const selectedMembers = "Ausgewählte Mitglieder";
export const selectedMembersDetail = "Wenn du keine auswählst, weckt keine Nachricht Agenten";
export const allowed = "Erlaubt";
export const blocked = "Blockiert";
export const requireAMention = "Erwähnung verlangen";
export const requireAMentionDetail = "Agenten antworten nur, wenn sie mit @ erwähnt werden";
export const membersWhoseEveryMessageWakes = "Mitglieder, deren Nachrichten immer alle Agenten wecken";

// admission-words.ts
export const everyoneCanWake = "Alle mit Schreibzugriff können Agenten wecken.";
export const noMemberCanWake = "Kein Mitglied kann hier Agenten wecken.";
export const onlyTheseCanWake = (names: string): string => `Nur diese Mitglieder können hier Agenten wecken: ${names}.`;
export const blockedMembers = (names: string): string => `Blockiert: ${names}.`;
export const onlyWhenMentioned = "Agenten antworten nur, wenn sie mit @ erwähnt werden.";
export const onlyInDirectRooms = "Agenten antworten nur in direkten Räumen.";
export const membersWhoAlwaysWake = (names: string): string =>
  `Jede Nachricht dieser Mitglieder weckt hier alle Agenten: ${names}.`;

// room-at.tsx
export const loading = "Wird geladen";

// room-members.tsx
export const formerMember = "Ehemaliges Mitglied";
export const participants = "Teilnehmer";
export const theWholeHouse = "Das ganze Haus";
export const visibleTo = "Sichtbar für";
export const theWholeHouseDetail = "Alle mit Zugriff auf das Haus, auch künftige Mitglieder";
export const andAdmins = "Und die Admins des Hauses";
export const members = "Mitglieder";
export const saveMembers = "Mitglieder speichern";

// room-settings.tsx
export const activity = "Aktivität";
export const roomForm = "Raum";
export const openRoom = "Raum öffnen";
export const roomActivityDetail = "Läufe in diesem Raum, mit Ergebnis und Grund.";
export const roomRemovalEffect = "Alle Mitglieder verlieren den Zugriff auf den Raum.";
export const roomRemovalConsequences =
  "Nachrichten sind nicht mehr zugänglich, und Agenten arbeiten hier nicht mehr. Du kannst das hier nicht rückgängig machen.";

// rooms-page.tsx
export const noRooms = "Keine Räume";
export const directRoom = "Direkter Raum";
export const openToTheWholeHouse = "Offen für das ganze Haus";
export const oneParticipant = "1 Teilnehmer";
export const participantCount = (length: number): string => `${length} Teilnehmer`;

// rooms-page.tsx, table
export const name = "Name";
export const kind = "Art";
export const allKinds = "Alle Arten";
export const groupRooms = "Gruppenräume";
export const directRooms = "Direkträume";
export const state = "Status";
export const allStates = "Alle Zustände";
export const currentRooms = "Aktuell";
export const archivedRooms = "Archiviert";
export const archived = "archiviert";
export const yourRole = "Deine Rolle";
export const lastMessage = "Letzte Nachricht";
export const noMessages = "Keine";
export const removeCount = (count: number): string => (count === 1 ? "1 Raum entfernen" : `${count} Räume entfernen`);
export const removedCount = (count: number): string => (count === 1 ? "1 Raum entfernt." : `${count} Räume entfernt.`);
export const removeSelected = (count: number): string =>
  count === 1 ? "1 Raum entfernen?" : `${count} Räume entfernen?`;
export const removeSelectedEffect = "Sie können nicht mehr geöffnet werden. Du kannst das nicht rückgängig machen.";
export const removeOne = "Entfernen";
