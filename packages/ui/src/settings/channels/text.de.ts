/** German texts of this folder. */

// channels-section.tsx
export const channels = "Kanäle";
export const channelsIntroduction = "Chat-Plattformen, auf denen Agenten antworten.";
export const noChannels = "Keine Kanäle";
export const ready = "Verbunden";
export const failing = "Im Moment nicht verbunden";
export const off = "Muss eingerichtet werden";
export const answeredBy = (agent: string): string => `@${agent} antwortet`;
export const queued = (count: number): string =>
  count === 1 ? "1 Nachricht in der Warteschlange" : `${count} Nachrichten in der Warteschlange`;

export const addChannel = "Kanal hinzufügen";

// edit-channel.tsx
export const answeringAgent = "Agent, der antwortet";
export const newToken = "Neues Bot-Token";
export const newTokenHint = "Lass das Feld leer, um das jetzige Token zu behalten.";
export const tokenRefused = "Die Plattform hat das Token abgelehnt. Das alte bleibt.";
export const save = "Speichern";
export const testAndSave = "Testen und speichern";
export const cancel = "Abbrechen";
export const channelChanged = (name: string): string => `${name} geändert.`;

// channel-row.tsx
export const edit = "Bearbeiten";
export const editChannel = (name: string): string => `${name} bearbeiten`;
export const removeChannel = (name: string): string => `${name} entfernen`;
export const remove = "Entfernen";
export const removeChannelTitle = (name: string): string => `${name} entfernen?`;
export const channelRemovalEffect =
  "Der Agent antwortet dort nicht mehr, und das gespeicherte Token wird gelöscht. Die Räume der Unterhaltungen bleiben.";
export const channelRemoved = (name: string): string => `${name} entfernt.`;
export const test = "Testen";
export const testChannel = (name: string): string => `${name} testen`;
export const unknownDeliveries = "Nachrichten mit unbekanntem Ergebnis";
export const spokenDelivery = (text: string): string => `Sprachnachricht: ${text}`;
export const unknownDeliveriesDetail =
  "Die Plattform hat sie nicht bestätigt. Wenn du eine noch einmal sendest, kommt sie vielleicht doppelt an.";
export const sendAgain = "Erneut senden";
export const sendAgainTo = (channel: string): string => `Erneut senden an ${channel}`;
export const leave = "Nicht senden";
export const leaveOf = (channel: string): string => `Nicht senden an ${channel}`;
export const sentAgain = "Die Nachricht wird erneut gesendet.";
export const left = "Die Nachricht wird nicht erneut gesendet.";

// pairings-section.tsx
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
export const blockSender = (sender: string): string => `${sender} blockieren`;
export const blockSenderTitle = (sender: string): string => `${sender} blockieren?`;
export const blockEffect = "Nachrichten dieses Absenders werden ignoriert, bis du ihn zurücksetzt.";
export const senderBlocked = (sender: string): string => `${sender} blockiert.`;
export const reset = "Zurücksetzen";
export const resetSender = (sender: string): string => `${sender} zurücksetzen`;
export const senderReset = (sender: string): string =>
  `${sender} ist wieder unbekannt. Die nächste Nachricht beginnt mit einem neuen Code.`;

// approve-sender.tsx
export const person = "Person in diesem Haus";
export const newPerson = (name: string): string => `Neue Person: ${name}`;
export const personHint = "Der Absender bekommt den Zugriff dieser Person.";
export const senderApproved = (sender: string): string => `${sender} zugelassen.`;

// refused-section.tsx
export const ignoredMessages = "Nicht angenommene Nachrichten";
export const noIgnoredMessages = "Keine";
export const from = (sender: string, channel: string): string => `Von ${sender} auf ${channel}`;
export const unpairedFate = "Der Absender ist nicht zugelassen.";
export const blockedFate = "Der Absender ist blockiert.";
export const unlistedFate = "Der Chat steht nicht auf der Liste der erlaubten Chats des Kanals.";
export const notDirectFate = "Es war kein direkter Chat.";
export const notMentionedFate = "Die Nachricht hat den Agenten nicht erwähnt.";
export const ignoredFate = "Die Nachricht enthielt nichts, was ein Agent lesen kann.";
export const failedFate = "Hearth konnte sie wegen eines Fehlers nicht speichern. Details stehen im Log.";
