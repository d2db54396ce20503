/** German texts of this folder. */

// activation.tsx
export const working = (name: string): string => `${name}, arbeitet`;
export const stop = "Stoppen";
export const stopping = (name: string): string => `${name} wird gestoppt.`;

// announcements.ts
export const waitsForApproval = (name: string): string => `${name} wartet auf Freigabe.`;
export const failureAnnouncement = (name: string, failure: string): string =>
  `${name} konnte nicht antworten. ${failure}`;
export const messageNotSent = (reason: string): string => `Deine Nachricht wurde nicht gesendet. ${reason}`.trim();

// composer-rules.ts
export const charactersLeft = (left: string): string => `Noch ${left} Zeichen.`;
export const tooManyCharacters = (amount: string): string =>
  `${amount} Zeichen zu viel. Kürze die Nachricht, oder teile sie auf.`;
export const offline = "Offline. Nachrichten werden gesendet, sobald die Verbindung wieder da ist.";

// composer.tsx
export const stoppingAgents = (names: string): string => `Wird gestoppt: ${names}.`;
export const withMentionHint = (label: string): string => `${label} · @ erwähnt einen Agenten`;
export const send = "Senden";
export const stopAll = "Alle stoppen";
export const withEscape = (label: string): string => `${label} (Esc)`;
export const messageTo = (name: string): string => `Nachricht an ${name}`;
export const attachFiles = "Dateien anhängen";

// record-button.tsx
export const recordVoiceNote = "Sprachnachricht aufnehmen";
export const finishRecording = "Aufnahme beenden";
export const discardRecording = "Aufnahme verwerfen";
export const recordingLength = "Länge der Aufnahme";
export const savingRecording = "Aufnahme wird gespeichert";
export const recordingStarted = "Aufnahme läuft.";
export const recordingAdded = "Die Aufnahme wurde deiner Nachricht hinzugefügt.";

// empty-room.tsx
export const noMessagesYet = "Noch keine Nachrichten";
export const emptyRoomHint = "Schreibe unten die erste Nachricht.";
export const emptyGroupRoomHint = (handle: string): string =>
  `Schreibe unten die erste Nachricht. Erwähne einen Agenten mit @, zum Beispiel @${handle}, um eine Antwort zu bekommen.`;
export const suggestions = "Vorschläge";
export const offlineAgentIntroduction =
  "Ich führe Notizen, verwalte Dateien und sage die Uhrzeit. Nichts verlässt diesen Rechner.";
export const agentIntroduction =
  "Ich beantworte Fragen, merke mir Dinge und arbeite mit Dateien in meinem Arbeitsbereich.";

// ended.tsx
export const incompleteReply = (name: string): string => `${name}, unvollständige Antwort`;
export const couldNotAnswer = (name: string): string => `${name} konnte nicht antworten.`;
export const failedRun = (name: string): string => `${name} konnte nicht antworten`;
export const tryAgain = "Erneut versuchen";
export const didNotAnswer = (name: string): string => `${name} hat nicht geantwortet.`;

// files/
export const attachments = "Anhänge";
export const showText = "Text anzeigen";
export const showTextOf = (name: string): string => `Text anzeigen: ${name}`;
export const picture = (name: string): string => `Bild ${name}`;
export const download = (name: string, size: string): string => `${name} herunterladen, ${size}`;
export const filesOfMessage = "Dateien dieser Nachricht";
export const uploading = (name: string): string => `${name} wird hochgeladen`;
export const sentOf = (sent: string, size: string): string => `${sent} von ${size}`;
export const removeFile = (name: string): string => `${name} entfernen`;
export const retryFile = (name: string): string => `${name} erneut hochladen`;
export const tooManyFiles = (most: number): string => `Eine Nachricht hat höchstens ${most} Dateien.`;

// mentions.tsx
export const mentionSuggestions = "Vorschläge für Erwähnungen";

// suggestions.tsx
export const oneSuggestion = "1 Vorschlag. Drücke Tab, um ihn einzufügen.";
export const suggestionCount = (length: number): string => `${length} Vorschläge. Verwende die Pfeiltasten.`;

// message-buttons.tsx
export const editMessage = "Nachricht bearbeiten";
export const message = "Nachricht";
export const copyMessage = "Nachricht kopieren";
export const react = "Reagieren";
export const reply = "Antworten";
export const askAgain = "Erneut fragen";
export const showRun = "Lauf anzeigen";
export const editAndResend = "Bearbeiten und neu senden";
export const branch = "Abzweigen";
export const deleteMessage = "Nachricht löschen";
export const more = "Mehr";

// reactions.tsx
export const reactions = "Reaktionen";
export const reactionBy = (emoji: string, count: number, names: string): string => `${emoji} ${count}: ${names}`;
export const moreReactions = (count: number): string => `+${count}`;
export const reactionAdded = (emoji: string): string => `${emoji} hinzugefügt`;
export const reactionRemoved = (emoji: string): string => `${emoji} entfernt`;
export const reactionFailed = "Die Reaktion wurde nicht gespeichert. Versuche es noch einmal.";

// branch-line.tsx
export const branchOf = "Abgezweigt von";
export const branchOfRemovedChat = "Abgezweigt von einem Chat, den du nicht öffnen kannst";

// message-speech.tsx
export const listen = "Anhören";

// message.tsx
export const scheduledJob = (job: string): string => `Geplanter Job ${job}`;
export const deletionFailed = "Die Nachricht konnte nicht gelöscht werden.";
export const branched = "Ein neuer Chat geht von hier aus weiter.";
export const branchingFailed = "Der Chat konnte nicht abgezweigt werden. Versuche es noch einmal.";
export const you = "Du";
export const messageDeleted = "Nachricht gelöscht";
export const deleteThisMessage = "Diese Nachricht löschen?";
export const deletionEffect = "Die Nachricht wird für alle entfernt. Vielleicht haben Agenten sie schon gelesen.";
export const deletion = "Löschen";
export const edited = "(bearbeitet)";

// participants.ts
export const askForAbilities = "Was kannst du für mich tun?";
export const askToRemember = "Merk dir, dass ";
export const askForPlan = "Schreib einen Plan für ";
export const askForFiles = "Was ist in deinem Arbeitsbereich?";
export const runsElsewhere = "läuft anderswo";
export const offlineModel = "Offline-Helfer";
export const offlineSuggestions = ["remember that ", "what do you remember?", "list files", "help"] as const;

// pending.tsx
export const discard = "Verwerfen";
export const edit = "Bearbeiten";
export const retry = "Erneut versuchen";
export const sending = "Wird gesendet";
export const queued = "In der Warteschlange";
export const waitingForTheConnection = "Wartet auf die Verbindung";
export const ownMessage = (time: string, state: string): string => `Du, ${time}, ${state}`;
export const notSent = "nicht gesendet";
export const sendingState = "wird gesendet";

// quote.tsx
export const earlierMessage = "eine frühere Nachricht";
export const quoted = (author: string, text: string): string => (text === "" ? author : `${author}: ${text}`);
export const replyTo = (words: string): string => `Antwort auf ${words}`;

// reply-bar.tsx
export const removeReply = "Nicht auf diese Nachricht antworten";

// read-only.tsx
export const readOnly = "Du kannst hier nur lesen. Ein Admin dieses Hauses kann das ändern.";

// room-cost.tsx
export const costToday = (amount: string): string => `Heute ${amount}`;
export const costInDays = (amount: string, days: number): string => `${amount} in ${days} Tagen`;
export const tokenCount = (count: string): string => `${count} Token`;

// room-header.tsx
export const modelLabel = (agent: string, model: string): string => `Modell von ${agent}: ${model}`;
export const chooseAModel = "Modell wählen";
export const settingsOf = (name: string): string => `Einstellungen von ${name}`;
export const andMore = (unnamed: number): string => ` und ${unnamed} weitere`;
export const usesOfflineModel = "verwendet den eingebauten Offline-Helfer, der kein Sprachmodell ist.";

// room-page.tsx
export const openingTheRoom = "Raum wird geöffnet";
export const retriesAutomatically = "Hearth versucht es automatisch erneut.";
export const messages = "Nachrichten";

// room-view.tsx
export const formerMember = "Ehemaliges Mitglied";

// rows.ts
export const today = "Heute";
export const yesterday = "Gestern";

// session-line.tsx
export const newSession = "Neue Sitzung ·";
export const youInLine = "du";

// sources-line.tsx
export const builtFromUntrustedContent = "Beruht auf nicht vertrauenswürdigen Inhalten";
export const sources = "Quellen";
export const sourceUnknown = "Quelle unbekannt";
export const viewInRun = "Im Lauf ansehen";
export const sourceInRun = (source: string): string => `Im Lauf ansehen: ${source}`;

// stop-lines.tsx
export const resume = "Fortsetzen";
export const oneMessageWaits = "1 Nachricht wartet.";
export const messagesWait = (count: number): string => `${count} Nachrichten warten.`;
export const stoppedSuffix = "ist gestoppt.";

// stopped-words.ts
export const youStopped = (name: string): string => `Du hast ${name} gestoppt.`;
export const wasStopped = (name: string): string => `${name} wurde gestoppt.`;

// timeline.tsx
export const loadingEarlierMessages = "Frühere Nachrichten werden geladen";

// to-end.tsx
export const jumpToLatest = "Zur neuesten Nachricht";
export const oneNewMessage = "1 neue Nachricht";
export const newMessages = (count: number): string => `${count} neue Nachrichten`;

// tool-words.ts
/** For tools that have no words. */
export const useOfTool = (name: string): { readonly doing: string; readonly done: string } => ({
  doing: `Verwendet ${name}`,
  done: `Verwendete ${name}`,
});
export const runningCommand = "Läuft:";
export const ranCommand = "Ausgeführt:";
export const callStates = {
  running: "Läuft",
  done: "Fertig",
  failed: "Fehlgeschlagen",
  unknown: "Unbekanntes Ergebnis",
} as const;
/** After the duration of a call. */
export const failedCallStates = { failed: "fehlgeschlagen", unknown: "unbekanntes Ergebnis" } as const;
export const usedTools = (count: number): string =>
  count === 1 ? "1 Werkzeug verwendet" : `${count} Werkzeuge verwendet`;
export const stoppingNow = "Wird gestoppt";
export const waitingForApproval = "Wartet auf Freigabe";
export const modelNotAvailable = "Das Modell ist nicht verfügbar.";
export const waitingToBeResumed = "Wartet, bis der Agent fortgesetzt wird";
export const attemptOf = (attempt: number, attempts: number): string => `Versuch ${attempt} von ${attempts}`;
export const thinking = "Denkt nach";
export const writing = "Schreibt";
export const retryingIn = (duration: string): string => `Neuer Versuch in ${duration}`;
export const retryingNow = "Neuer Versuch läuft";

// tool-line.tsx
export const loadingToolCalls = "Werkzeugaufrufe werden geladen";

// use-commands.tsx
export const commandSuggestions = "Befehle";
