/** German texts of this folder. */

// channels-page.tsx
export const channels = "Kanäle";
export const channelsIntroduction = "Chat-Plattformen, auf denen Agenten antworten.";
export const noChannels = "Keine Kanäle";
export const ready = "Verbunden";
export const notConnected = "Im Moment nicht verbunden";
export const needsSetup = "Muss eingerichtet werden";
export const queued = (count: number): string =>
  count === 1 ? "1 Nachricht in der Warteschlange" : `${count} Nachrichten in der Warteschlange`;

export const addChannel = "Kanal hinzufügen";

// channel-table.tsx
export const name = "Name";
export const state = "Status";
export const allStates = "Alle Zustände";
export const platform = "Plattform";
export const allPlatforms = "Alle Plattformen";
export const agent = "Agent";
export const allAgents = "Alle Agenten";
export const lastMessage = "Letzte Nachricht";
export const noMessages = "Noch keine Nachrichten";
export const noChannelsDetail =
  "Füge einen Kanal hinzu, damit Personen einem Agenten aus einer Chat-App schreiben können.";
export const testCount = (count: number): string => (count === 1 ? "1 Kanal testen" : `${count} Kanäle testen`);
export const testResult = (channel: string, result: string): string => `${channel}: ${result}`;
export const removeCount = (count: number): string => (count === 1 ? "1 Kanal entfernen" : `${count} Kanäle entfernen`);
export const removeChannels = (count: number): string =>
  count === 1 ? "1 Kanal entfernen?" : `${count} Kanäle entfernen?`;
export const removedCount = (count: number): string =>
  count === 1 ? "1 Kanal entfernt." : `${count} Kanäle entfernt.`;
export const undecided = (count: number): string =>
  count === 1 ? "1 Nachricht braucht eine Entscheidung" : `${count} Nachrichten brauchen eine Entscheidung`;

// edit-channel.tsx
export const answeringAgent = "Agent, der antwortet";
export const newToken = "Neues Bot-Token";
export const newTokenHint = "Lass das Feld leer, um das jetzige Token zu behalten.";
export const tokenRefused = "Die Plattform hat das Token abgelehnt. Das alte bleibt.";
export const save = "Speichern";
export const testAndSave = "Testen und speichern";
export const channelChanged = (name: string): string => `${name} geändert.`;

// channel-detail.tsx
export const remove = "Entfernen";
export const channelRemovalEffect =
  "Der Agent antwortet dort nicht mehr, und das gespeicherte Token wird gelöscht. Die Räume der Unterhaltungen bleiben.";
export const test = "Testen";
export const unknownDeliveries = "Nachrichten mit unbekanntem Ergebnis";
export const spokenDelivery = (text: string): string => `Sprachnachricht: ${text}`;
export const unknownDeliveriesDetail =
  "Die Plattform hat sie nicht bestätigt. Wenn du eine noch einmal sendest, kommt sie vielleicht doppelt an.";
export const sendAgain = "Erneut senden";
export const sendAgainTo = (channel: string): string => `Erneut senden an ${channel}`;
export const leave = "Nicht senden";
export const leaveOf = (channel: string): string => `Nicht senden an ${channel}`;
export const sentAgain = "Die Nachricht wird erneut gesendet.";
export const messageIsNotSentAgain = "Die Nachricht wird nicht erneut gesendet.";

// pairings-section.tsx
export const sender = "Absender";
export const channel = "Kanal";
export const allChannels = "Alle Kanäle";
export const firstMessage = "Erste Nachricht";
export const approved = "Zugelassen";
export const blockCount = (count: number): string =>
  count === 1 ? "1 Absender blockieren" : `${count} Absender blockieren`;
export const blockSenders = (count: number): string =>
  count === 1 ? "1 Absender blockieren?" : `${count} Absender blockieren?`;
export const blockedCount = (count: number): string =>
  count === 1 ? "1 Absender blockiert." : `${count} Absender blockiert.`;
export const resetCount = (count: number): string =>
  count === 1 ? "1 Absender zurücksetzen" : `${count} Absender zurücksetzen`;
export const resetSenders = (count: number): string =>
  count === 1 ? "1 Absender zurücksetzen?" : `${count} Absender zurücksetzen?`;
export const resetEffect = "Der Absender ist wieder unbekannt. Seine nächste Nachricht beginnt mit einem neuen Code.";
export const resetDone = (count: number): string =>
  count === 1 ? "1 Absender zurückgesetzt." : `${count} Absender zurückgesetzt.`;
export const senders = "Absender";
export const sendersIntroduction =
  "Personen, die auf einem Kanal geschrieben haben. Ein Agent antwortet ihnen, nachdem du sie zugelassen hast. Neue Absender bekommen einen Code.";
export const noSenders = "Noch kein Absender hat geschrieben.";
export const waiting = "Wartet auf Zulassung";
export const expired = "Der Code ist abgelaufen.";
export const writesAs = (person: string): string => `Schreibt als ${person}`;
export const blocked = "Blockiert";
export const aFormerMember = "ein ehemaliges Mitglied";
export const approve = "Zulassen";
export const approveSender = (sender: string): string => `${sender} zulassen`;
export const block = "Blockieren";
export const blockEffect = "Nachrichten dieses Absenders werden ignoriert, bis du ihn zurücksetzt.";
export const reset = "Zurücksetzen";

// approve-sender.tsx
export const person = "Person in diesem Haus";
export const newPerson = (name: string): string => `Neue Person: ${name}`;
export const personHint = "Der Absender bekommt den Zugriff dieser Person.";
export const senderApproved = (sender: string): string => `${sender} zugelassen.`;

// refused-section.tsx
export const reason = "Grund";
export const allReasons = "Alle Gründe";
export const received = "Empfangen";
export const ignoredMessages = "Nicht angenommene Nachrichten";
export const noIgnoredMessages = "Keine";
export const unpairedFate = "Der Absender ist nicht zugelassen.";
export const blockedFate = "Der Absender ist blockiert.";
export const unlistedFate = "Der Chat steht nicht auf der Liste der erlaubten Chats des Kanals.";
export const notDirectFate = "Es war kein direkter Chat.";
export const notMentionedFate = "Die Nachricht hat den Agenten nicht erwähnt.";
export const ignoredFate = "Die Nachricht enthielt nichts, was ein Agent lesen kann.";
export const failedFate = "Hearth konnte sie wegen eines Fehlers nicht speichern. Details stehen im Log.";
