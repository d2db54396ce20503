/** German texts of this folder. */

// brain-page.tsx
export const loading = "Wird geladen";
export const files = "Dateien";
export const workspace = "Arbeitsbereich";
export const memory = "Gedächtnis";
export const history = "Verlauf";
export const proposals = (pending: number): string => (pending === 0 ? "Vorschläge" : `Vorschläge (${pending})`);
export const prompt = "Prompt";
export const brainOf = (name: string): string => `Gehirn von ${name}`;
export const settingsOf = (name: string): string => `Einstellungen von ${name}`;
export const brain = "Gehirn";
export const agentNotFound = "Agent nicht gefunden.";
export const viewAgents = "Agenten anzeigen";
export const onlyAdmins = "Nur Admins dieses Hauses können diese Seite öffnen. Bitte einen Admin um Zugriff.";
export const hasNoBrain = (name: string): string =>
  `${name} hat hier kein Gehirn. Nur Agenten, die in diesem Haus laufen, haben eines.`;
export const viewProfile = "Profil anzeigen";

// change-row.tsx
export const inARun = "in einem Lauf";
export const contentErased =
  "Ein Teil dieses Inhalts wurde später endgültig gelöscht. Zurücksetzen stellt ihn nicht wieder her.";
export const initialContent = "Das ist der ursprüngliche Inhalt des Gehirns. Er kann nicht zurückgesetzt werden.";
export const revertThisChange = "Diese Änderung zurücksetzen";
export const revertTheWholeRun = "Ganzen Lauf zurücksetzen";
export const restoreToBefore = "Stand vor dieser Änderung wiederherstellen";
export const details = "Details";
export const changeId = "Änderung";
export const runId = "Lauf";
export const afterYourMessage = (message: string): string => `Nach deiner Nachricht: ${message}`;
export const afterMessageOf = (author: string, message: string): string =>
  `Nach einer Nachricht von ${author}: ${message}`;
export const room = "Raum:";

// change-words.ts
export const changeKinds = {
  write: "Gespeichert",
  hand: "Auf der Festplatte bearbeitet",
  checkpoint: "Aus dem Arbeitsbereich kopiert",
  undo: "Zurückgesetzt",
  erase: "Gelöscht",
} as const;
export const andMoreFiles = (count: number): string => ` und ${count} weitere`;
export const revertChangeTitle = "Diese Änderung zurücksetzen?";
export const revert = "Zurücksetzen";
export const revertRunTitle = "Alle Änderungen dieses Laufs zurücksetzen?";
export const revertAll = "Alle zurücksetzen";
export const restoreTitle = (date: string): string => `Stand von ${date} wiederherstellen?`;
export const restore = "Wiederherstellen";
/** Each follows the name of a file. */
export const effects = {
  deleted: "wird entfernt",
  restored: "wird wiederhergestellt",
  changed: "bekommt den früheren Inhalt zurück",
} as const;

// diff-view.tsx
export const notATextFile = (path: string): string =>
  `${path} ist keine Textdatei. Ihre Zeilen können nicht angezeigt werden.`;
export const noChangedLines = (path: string): string => `${path} hat keine geänderten Zeilen.`;

// diff-layout.tsx
export const diffLayout = "Darstellung der Änderungen";
export const unified = "Untereinander";
export const split = "Nebeneinander";

// editor.tsx
export const fileDoesNotExist = "Diese Datei gibt es nicht. Beim Speichern wird sie erstellt.";
export const yourVersion = (path: string): string => `Deine Version: ${path}`;
export const noSpaceForDrafts =
  "Dieser Browser hat keinen Platz für nicht gespeicherten Text. Speichere, bevor du diese Seite verlässt.";
export const save = "Speichern";
export const discardChanges = "Änderungen verwerfen";
export const savedState = "Gespeichert";
export const editConflict = "Bearbeitungskonflikt";
export const fileWasRemoved = "Die Datei wurde entfernt, während du sie bearbeitet hast.";
export const fileWasChanged = "Die Datei wurde geändert, während du sie bearbeitet hast.";
export const yourTextIsAbove = "Dein Text steht oben. Er ist noch nicht gespeichert.";
export const chooseAVersion =
  "Deine Version steht oben, die aktuelle unten. Wähle die Version, die du behalten möchtest.";
export const currentVersion = "Aktuelle Version";
export const effectOfSaving = "Wirkung beim Speichern deiner Version";
export const saveMineAsNewFile = "Meine als neue Datei speichern";
export const overwriteWithMine = "Mit meiner überschreiben";
export const discardMine = "Meine verwerfen";
export const keepTheirs = "Die andere verwenden";

// file-page.tsx
export const historyOfThisFile = "Verlauf dieser Datei";
export const protectedFile = (agent: string): string =>
  `Diese Datei bestimmt ${agent} und seine Regeln. Deine Änderungen gelten sofort. Änderungen durch den Agenten brauchen vielleicht eine Freigabe.`;
export const tryAgain = "Erneut versuchen";
export const fileIsTooLarge = (size: string): string => `Diese Datei ist zu groß (${size}).`;
export const fileIsTooLargeDetail = "Dateien über 1 MB können hier nicht angezeigt werden.";
export const fileIsNotText = "Diese Datei ist keine Textdatei.";
export const fileIsNotTextDetail = (size: string): string =>
  `Ihr Inhalt (${size}) ist kein gültiges UTF-8 und kann hier nicht angezeigt werden.`;
export const unsavedText = "Nicht gespeicherter Text";
export const discard = "Verwerfen";
export const removeFile = "Datei entfernen";
export const removeFileTitle = "Datei entfernen?";
export const removalEffectWithUnsavedText =
  "wird aus dem Gehirn entfernt, und dein nicht gespeicherter Text geht verloren. Die gespeicherten Versionen bleiben im Verlauf und können wiederhergestellt werden.";
export const removalEffect =
  "wird aus dem Gehirn entfernt. Die Versionen bleiben im Verlauf und können wiederhergestellt werden.";
export const remove = "Entfernen";

// file-remarks.tsx
export const invisibleCharacters = "Unsichtbare Zeichen";
export const oneLineWithHidden = "Eine Zeile hat unsichtbare Zeichen:";
export const linesWithHidden = (count: string): string => `${count} Zeilen haben unsichtbare Zeichen:`;
export const line = (number: string): string => `Zeile ${number}`;
export const mixedLineEndings =
  "Diese Datei hat unterschiedliche Zeilenenden. Beim Speichern werden sie vereinheitlicht.";
export const linesFromAnotherSource = "Einige Zeilen stammen aus anderen Quellen";
export const linesFromOtherSources = (count: string): string =>
  `${count} Gruppen von Zeilen stammen aus anderen Quellen`;
export const trusted = "vertrauenswürdig";
export const byMembers = "von Mitgliedern";
export const untrusted = "nicht vertrauenswürdig";
export const lines = (from: number, to: number): string => `Zeilen ${from}–${to}`;

// text-file.tsx
export const edit = "Bearbeiten";
export const previewIsNotSaved = "Die Vorschau zeigt nicht gespeicherten Text.";
export const fileIsEmpty = "Diese Datei ist leer.";

// file-tree.tsx
export const notSaved = "Nicht gespeichert";
export const protectedHint = "Geschützt: Änderungen durch den Agenten brauchen vielleicht eine Freigabe";
export const protectedState = "geschützt";
export const fileUnit = " Datei";
export const filesUnit = " Dateien";

// files-tab.tsx
export const noFilesYet = "Noch keine Dateien";
export const newFile = "Neue Datei";
export const chooseAFile = "Wähle eine Datei, um sie anzusehen oder zu bearbeiten.";
export const allFiles = "Alle Dateien";
export const oneIgnoredFile = "1 ignorierte Datei";
export const ignoredFiles = (count: number): string => `${count} ignorierte Dateien`;

// history-tab.tsx
export const historyIntroduction = "Versionsverlauf. Du kannst das Zurücksetzen rückgängig machen.";
export const changesOf = "Änderungen an";
export const showAllChanges = "Alle Änderungen anzeigen";
export const showMore = "Mehr anzeigen";
export const noChangesYet = "Noch keine Änderungen";
export const enterADateAndTime = "Gib ein Datum und eine Uhrzeit ein.";
export const restoreTo = "Stand wiederherstellen von";
export const preview = "Vorschau";

// keep-fact.tsx
export const alreadySavedIn = (path: string): string => `${path} enthält das schon.`;
export const savedIn = (path: string): string => `In ${path} gespeichert.`;
export const addMemory = "Erinnerung hinzufügen";
export const fact = "Tatsache";
export const replaces = "Veraltete Erinnerung (optional)";
export const replacesHint = "Einige Wörter der veralteten Tatsache oder ihre Stelle.";

// memory-hit.tsx
export const untrustedSources = "Nicht vertrauenswürdige Quellen:";
export const unknown = "unbekannt";
export const hideRanking = "Bewertung ausblenden";
export const showRanking = "Bewertung anzeigen";
export const deleteMemory = (place: string): string => `Erinnerung löschen: ${place}`;
export const deletion = "Löschen";
export const rankingOf = (place: string): string => `Bewertung von ${place}`;
export const total = "Summe";

// memory-index.tsx
export const rebuildingIndex = "Der Index wird neu erstellt.";
export const index = "Index";
export const rebuild = "Index neu erstellen";
export const rebuildDetail = "Liest alle Dateien noch einmal. Die Dateien ändern sich nicht.";
export const chunks = "Abschnitte";
export const searchableByMeaning = "Nach Bedeutung durchsuchbar";
export const keywordsOnly = "Keine (nur Stichwörter)";
export const embeddingModel = "Embedding-Modell";
export const none = "Keines";
export const indexState = "Zustand des Index";
export const excluded = "Ausgeschlossene Dateien:";

// memory-words.ts
export const scoreParts: Readonly<Record<string, string>> = {
  words: "Stichwörter",
  meaning: "Bedeutung",
  time: "Zeitangabe in der Frage",
  people: "Personen in der Frage",
  form: "Art des Textes",
  around: "Umgebung",
  age: "Alter",
};
export const searchIsOff = "Die Gedächtnissuche ist in den Einstellungen des Agenten oder des Hauses ausgeschaltet.";
export const keywordSearchOnly = "Nur Stichwortsuche. Texte mit anderen Wörtern werden nicht gefunden.";
export const indexIsRebuilt = "Der Index wird neu erstellt, deshalb fehlen vielleicht Ergebnisse.";
export const indexingFiles = "Dateien werden indexiert.";
export const keywordsBecause = (problem: string): string => `Nur Stichwortsuche: ${problem}`;
export const partlyByMeaning = (vectors: string, chunks: string): string =>
  `Stichwortsuche; ${vectors} von ${chunks} Abschnitten auch nach Bedeutung.`;
export const indexIsComplete = "Der Index ist vollständig.";

// memory-search.tsx
export const searchMemory = "Gedächtnis durchsuchen";
export const searchHint = "Fragen funktionieren besser als einzelne Wörter.";
export const search = "Suchen";
export const noResults = "Keine Ergebnisse";
export const oneResult = "1 Ergebnis";
export const results = (count: number): string => `${count} Ergebnisse`;
export const memoryDeleted = "Erinnerung gelöscht.";
export const searchResults = "Suchergebnisse, beste zuerst";
export const deleteMemoryTitle = "Diese Erinnerung endgültig löschen?";
export const deleteMemoryEffect = (place: string): string =>
  `${place} wird aus den Dateien, ihrem Versionsverlauf, gespeicherten Werkzeugergebnissen und dem Index gelöscht. Antworten des Agenten, die den Inhalt enthalten, werden aus Räumen gelöscht; Nachrichten von Personen bleiben. Du kannst das nicht rückgängig machen.`;
export const deletePermanently = "Endgültig löschen";

// new-file.tsx
export const cancel = "Abbrechen";
export const createFile = "Datei erstellen";
export const path = "Pfad";
export const pathHint =
  "Zum Beispiel instructions/tone.md. Der Agent liest die Dateien im Ordner instructions vor jeder Antwort.";
export const enterAPath = "Gib einen Pfad ein.";
export const relativePathRequired = "Gib einen relativen Pfad mit einem / zwischen den Namen ein.";
export const noDotFiles = "Namen von Dateien und Ordnern dürfen nicht mit einem Punkt beginnen.";

// prompt-tab.tsx
export const promptRoom = "Raum";
export const promptRoomHint =
  "Der Prompt hängt davon ab, wer den Raum lesen kann. In gemeinsamen Räumen enthält er keine privaten Erinnerungen.";
export const privateRooms = "Private Räume";
export const emptyPrompt = "Der Prompt enthält keine Dateien des Gehirns: Sie fehlen oder sind leer.";
export const promptOrder =
  "Die Teile stehen in der Reihenfolge, in der das Modell sie liest. Die Token-Zahlen sind geschätzt.";
export const promptParts = "Teile des Prompts";
export const part = "Teil";
export const characters = "Zeichen";
export const tokens = "Token";
export const stableBetweenRuns = "gleich zwischen Läufen";
export const longTermMemory = "Langzeitgedächtnis";
export const changesWithEveryRun = "ändert sich mit jedem Lauf";
export const hideTextOf = (part: string): string => `Text ausblenden: ${part}`;
export const showTextOf = (part: string): string => `Text anzeigen: ${part}`;
export const hideText = "Text ausblenden";
export const showText = "Text anzeigen";
export const instructionsInSettings = "Anweisungen in den Einstellungen";
export const skillNames = "Namen der Skills";
export const shortened = (length: string): string => `gekürzt: Die Mitte der Datei (${length} Zeichen) ist ausgelassen`;
export const oneHiddenLine = "eine nicht vertrauenswürdige Zeile ausgelassen";
export const hiddenLines = (count: string): string => `${count} nicht vertrauenswürdige Zeilen ausgelassen`;

// proposal-card.tsx
export const tooLate = "Zu spät: Dieser Vorschlag wurde schon entschieden.";
export const changeTo = "Änderung an";
export const foundOnDisk = "Auf der Festplatte gefunden";
export const proposedBy = (agent: string): string => `Vorgeschlagen von ${agent}`;
export const staleProposal = "Dieser Vorschlag passt nicht mehr.";
export const askForNewProposal = (agent: string): string =>
  `Lehne ihn ab, und bitte ${agent} um einen neuen Vorschlag.`;
export const reason = "Begründung (optional)";
export const approve = "Freigeben";
export const deny = "Ablehnen";
export const anAdmin = "einem Admin";
const by = (name: string): string => (name === you ? "von dir" : `von ${name}`);
export const approvedBy = (name: string): string => `Freigegeben ${by(name)}. Die Änderung gilt.`;
export const deniedBy = (name: string): string => `Abgelehnt ${by(name)}.`;

// proposals-tab.tsx
export const agentIsPaused = (agent: string): string => `${agent} ist pausiert, bis du entscheidest.`;
export const agentIsPausedDetail =
  "Eine Änderung an einer geschützten Datei geht über das hinaus, was der Agent ohne Freigabe ändern darf.";
export const pendingProposals = "Offene Vorschläge";
export const proposalsIntroduction = (agent: string): string =>
  `Wenn ${agent} eine Änderung an den eigenen Anweisungen vorschlägt, erscheint sie hier und wartet auf deine Freigabe.`;
export const decidedProposals = "Entschiedene Vorschläge";
export const noPendingProposals = "Keine offenen Vorschläge";
export const onePendingProposal = "1 offener Vorschlag";
export const pendingProposalCount = (count: number): string => `${count} offene Vorschläge`;

// undo-dialog.tsx
export const noChanges = "Keine Änderungen";
export const oneFileChanges = "1 Datei ändert sich:";
export const filesChange = (count: string): string => `${count} Dateien ändern sich:`;
export const andMore = (count: string): string => `und ${count} weitere`;
export const moreChanges = "Diese Liste zeigt nicht alle Änderungen. Alle werden zurückgesetzt.";
export const revertDetail =
  "Setzt alle diese Änderungen zurück oder keine. Du kannst das Zurücksetzen rückgängig machen.";
export const noChangesNeeded = "Es waren keine Änderungen nötig.";
export const oneFileRestored = "1 Datei wiederhergestellt.";
export const filesRestored = (count: number): string => `${count} Dateien wiederhergestellt.`;
export const erasedContent = (paths: string): string =>
  `Inhalt von ${paths} wurde endgültig gelöscht und konnte nicht wiederhergestellt werden.`;

// use-file.ts
export const notSavedConflict =
  "Nicht gespeichert: Die Datei wurde geändert, während du sie bearbeitet hast. Beide Versionen werden angezeigt.";
export const saved = "Gespeichert.";
export const removed = "Datei entfernt. Ihre Versionen bleiben im Verlauf.";

// use-names.ts
export const you = "Du";
export const formerMember = "Ehemaliges Mitglied";

// workspace/file-preview.tsx
export const downloadFile = "Herunterladen";
export const previewOf = (name: string): string => `Vorschau von ${name}`;
export const emptyFile = "Diese Datei ist leer.";
export const noPreview = "Für Dateien dieser Art gibt es keine Vorschau. Lade die Datei herunter, um sie zu öffnen.";
export const firstPartOnly = (size: string): string =>
  `Das ist der erste Teil der Datei (${size}). Lade sie herunter, um den Rest zu lesen.`;
export const firstTextOnly = "Das ist der Anfang des Dokuments. Lade es herunter, um den Rest zu lesen.";
export const textOfDocument = "Text des Dokuments, ohne Layout.";
export const noText = (why: string): string => `Für dieses Dokument gibt es keine Vorschau. ${why}`;

// workspace/separated-table.tsx
export const firstRowsOnly = (shown: string, all: string): string => `Die ersten ${shown} von ${all} Zeilen`;
export const rows = (count: string): string => (count === "1" ? "1 Zeile" : `${count} Zeilen`);

// workspace/workspace-tab.tsx
export const workspaceIntroduction = (agent: string): string =>
  `Dateien, die ${agent} erstellt hat. Dateien eines Raums liegen in rooms, unter der ID des Raums.`;
export const location = "Ort";
export const downloadAsZip = "Als ZIP herunterladen";
export const fileName = "Name";
export const fileSize = "Größe";
export const changed = "Geändert";
export const emptyWorkspace = "Noch keine Dateien";
export const emptyFolder = "Dieser Ordner ist leer.";
export const moreEntries = (count: string): string => `Dieser Ordner hat mehr als die ${count} Einträge dieser Liste.`;
