/** German texts of this folder. */

// file-errors.tsx
export const fileHasErrors = (file: string): string => `${file} enthält Fehler. Die anderen Jobs laufen.`;
export const editFile = "Datei bearbeiten";
export const errorInLine = (line: number, job: string | undefined, error: string): string =>
  `Zeile ${line}${job === undefined ? "" : `, ${job}`}: ${error}`;

// heartbeat-draft.ts
export const enterATimeOfDay = "Gib eine Uhrzeit ein, zum Beispiel 08:00.";
export const endEqualsStart = "Ende und Anfang sind gleich. Lass beide für den ganzen Tag leer.";
export const enterAStartTime = "Gib eine Anfangszeit ein, oder lass beide leer.";
export const enterAnEndTime = "Gib eine Endzeit ein, oder lass beide leer.";
export const enterAnInterval = "Gib einen Abstand ein, zum Beispiel 30m, 2h oder 1d.";
export const enterAnAmount = "Gib einen Betrag ein, zum Beispiel 2,50.";
export const enterAWholeNumber = "Gib eine ganze Zahl ein.";
export const enterALongerInterval = (seconds: number): string => `Gib mindestens ${seconds}s ein.`;

// heartbeat-form.tsx
export const checkInRegularly = "Regelmäßig nachsehen";
export const checkInRegularlyDetail =
  "Wenn es etwas Neues gibt, liest der Agent seine Checkliste und schreibt nur, wenn er etwas zu berichten hat.";
export const interval = "Abstand";
export const intervalHint = "Zum Beispiel 30m, 2h oder 1d.";
export const activeHours = "Aktive Zeit (optional)";
export const from = "Von";
export const until = "Bis";
export const agentTimeZone = "Zeitzone des Agenten";
export const dailyBudget = "Tagesbudget für den Heartbeat (optional)";
export const usDollars = "US-Dollar";
export const noSeparateLimit = "Kein eigenes Limit";
export const tokens = "Token";
export const reportTo = "Berichten an";
export const alwaysCheck = "Auch nachsehen, wenn es nichts Neues gibt";
export const alwaysCheckDetail =
  "Für Checklisten über Termine oder über Dinge außerhalb dieses Hauses. Jedes Mal wird ein Modell aufgerufen.";
export const agentTimeZoneHint = (houseZone: string): string =>
  `Gilt auch für die Jobs des Agenten. Standard: die Zeitzone des Hauses, ${houseZone}.`;

// heartbeat-page.tsx
export const checkInSchedule = "Zeitplan des Heartbeats";
export const emptyChecklist = "Die Checkliste ist leer, deshalb sieht der Agent nicht nach.";
export const writeChecklistIn = "Schreibe die Checkliste in";
export const checklistIsIn = "Die Checkliste ist";
export const nextCheck = "Nächster Heartbeat und bisherige Läufe";
export const firstCheckNotScheduled = "Der erste Heartbeat ist noch nicht geplant.";
export const inTheBrain = "im Gehirn des Agenten.";

// heartbeat-words.ts
export const stoppedHeartbeat = (reason: string): string =>
  `Nach wiederholten Fehlern gestoppt. ${reason} Behebe die Ursache, und setze ihn dann fort.`;
export const pausedHeartbeat = "Pausiert. Der Agent sieht nicht nach, bis du den Heartbeat fortsetzt.";
export const noNextCheck = "Kein nächster Heartbeat.";
export const nextCheckAt = (time: string): string => `Nächster Heartbeat in deiner Zeitzone: ${time}.`;
export const hoursWithin = (from: string, to: string, zone: string): string => `${from} bis ${to} (${zone})`;
export const neverChecksIn = (within: string): string =>
  `Kein Heartbeat fällt in die Zeit ${within}, deshalb sieht der Agent nie nach. Wähle einen kürzeren Abstand oder eine andere Zeit.`;
export const nextCheckWithin = (time: string, within: string): string =>
  `Nächster Heartbeat in deiner Zeitzone: ${time}. Aktive Zeit: ${within}.`;

// job-draft.ts
export const enterAPrompt = "Gib einen Prompt ein.";
export const enterATime = "Gib eine Zeit ein.";
export const invalidJobName = "Gib einen Namen ein, der Buchstaben von a bis z oder Ziffern enthält.";

// job-editor.tsx
export const inWords = "In Worten";
export const inWordsHint = "Auf Englisch, zum Beispiel every weekday at 9, every 2 hours, tomorrow at 18:00.";
export const cron = "Cron";
export const cronHint = "Minute, Stunde, Tag, Monat, Wochentag. Zum Beispiel 0 9 * * 1-5.";
export const everyHint = "Zum Beispiel 15m, 2h oder 1d.";
export const once = "Einmal";
export const onceHint = "Zum Beispiel 2026-12-01T09:00.";
export const newJob = (name: string): string => `Neuer Job für ${name}`;
export const editJob = (name: string): string => `${name} bearbeiten`;
export const cancel = "Abbrechen";
export const save = "Speichern";
export const name = "Name";
export const optionalName = "Name (optional)";
export const nameHint = "Lass es leer, um die ersten Wörter des Prompts zu verwenden.";
export const prompt = "Prompt";
export const schedule = "Zeitplan";
export const inYourTimeZone = "In deiner Zeitzone:";
export const understoodSchedule = (schedule: string): string => `Zeitplan: ${schedule}`;
export const timeIsInThePast = "Diese Zeit liegt in der Vergangenheit, der Job würde also nie laufen.";

// job-hook.tsx
export const replaceKeyTitle = "Webhook-Schlüssel ersetzen?";
export const replaceKeyEffect = "Der alte Schlüssel gilt sofort nicht mehr. Aufrufer brauchen den neuen Schlüssel.";
export const replaceKey = "Schlüssel ersetzen";
export const turnOffTitle = "Webhook ausschalten?";
export const turnOffEffect =
  "Adresse und Schlüssel gelten dann nie wieder. Wenn du ihn wieder einschaltest, entstehen eine neue Adresse und ein neuer Schlüssel.";
export const turnOff = "Ausschalten";
export const webhookKeyCreated = "Webhook-Schlüssel erstellt. Er wird nur einmal angezeigt.";
export const webhookIsOff = "Der Webhook ist ausgeschaltet.";
export const webhookOf = (name: string): string => `Webhook von ${name}`;
export const webhook = "Webhook";
export const webhookOffDetail =
  "Löse diesen Job über HTTP aus. Der Inhalt der Anfrage wird dem Agenten als Daten übergeben.";
export const webhookOnDetail =
  "Sende POST-Anfragen an diesen Pfad unter einer Adresse dieses Hauses, signiert nach Standard Webhooks.";
export const turnWebhookOn = "Webhook einschalten";
export const turnWebhookOff = "Webhook ausschalten";
export const theWebhookOf = (job: string): string => `den Webhook von ${job}`;

// job-more-fields.tsx
export const thePromptOnly = "Nur der Prompt";
export const promptAndMessages = "Der Prompt und die Nachrichten im Raum";
export const runTheLastOne = "Den letzten ausführen";
export const runEachOfThem = "Jeden ausführen";
export const skipThem = "Überspringen";
export const moreOptions = "Weitere Optionen";
export const room = "Raum";
export const context = "Kontext";
export const missedRuns = "Verpasste Läufe";
export const timeZone = "Zeitzone (optional)";
export const timeZoneHint = "Zum Beispiel Europe/Berlin. Standard: die Zeitzone des Agenten oder des Hauses.";
export const endDate = "Enddatum (optional)";
export const endDateHint = "Zum Beispiel 2026-12-31.";

// job-detail.tsx
export const editCheckInSchedule = "Zeitplan des Heartbeats bearbeiten";
export const runHistory = "Bisherige Läufe";
export const started = (name: string): string => `${name} gestartet.`;
export const runNow = "Jetzt ausführen";
export const resumed = (name: string): string => `${name} fortgesetzt.`;
export const paused = (name: string): string => `${name} pausiert.`;
export const resume = "Fortsetzen";
export const pause = "Pausieren";
export const edit = "Bearbeiten";
export const deleteJob = "Job löschen";
export const saved = (understood: string): string => `Gespeichert: ${understood}.`;
export const deleteJobTitle = (name: string): string => `${name} löschen?`;
export const deleteJobEffect =
  "Der Job und sein Webhook werden entfernt. Ein aktueller Lauf läuft weiter, und die bisherigen Läufe bleiben erhalten.";
export const deleted = (name: string): string => `${name} gelöscht.`;
export const runsOnBehalfOf = (owner: string, room: string): string => `Läuft im Auftrag von ${owner}; Raum: ${room}.`;
export const aFormerMember = "einem ehemaligen Mitglied";
export const theirDirectRoom = "direkter Raum der beiden";

// job-slots.tsx
export const runHistoryOf = (name: string): string => `Bisherige Läufe von ${name}`;
export const showMore = "Mehr anzeigen";
export const noRunsYet = "Noch keine Läufe";
export const finished = "Beendet";

// job-words.ts
export const fates = {
  fired: "Ausgeführt",
  skipped: "Übersprungen",
  merged: "Mit einem späteren Lauf zusammengefasst",
  missed: "Verpasst",
  failed: "Fehlgeschlagen",
  stopped: "Gestoppt",
} as const;
export const statuses = {
  active: "Aktiv",
  paused: "Pausiert",
  halted: "Nach wiederholten Fehlern gestoppt",
  over: "Beendet",
} as const;
export const runningNow = "Läuft";
export const repetitionCount = (words: string, count: string): string => `${words}, ${count}-mal`;
export const lastRunsFailed = (count: number): string => `Die letzten ${count} Läufe sind fehlgeschlagen`;

// automation-table.tsx
export const added = (name: string, understood: string): string => `${name} hinzugefügt: ${understood}.`;
export const newJobButton = "Neuer Job";
export const lastRun = (fate: string, time: string): string => `Zuletzt: ${fate}, ${time}`;
export const filters = "Filter";
export const agent = "Agent";
export const allAgents = "Alle";
export const kind = "Art";
export const allKinds = "Alle";
export const kinds = { job: "Jobs", heartbeat: "Heartbeats", webhook: "Webhooks" } as const;
export const kindWords = { job: "Job", heartbeat: "Heartbeat", webhook: "Job mit Webhook" } as const;
export const state = "Status";
export const allStates = "Alle";
export const nextRun = "Nächster Lauf";
export const noNextRun = "Keiner";
export const noAutomations = "Keine Automatisierungen";
export const noAutomationsDetail =
  "Ein Job weckt einen Agenten zu einer Uhrzeit, in einem Abstand, oder wenn ein Programm seinen Webhook aufruft.";
export const noMatches = "Keine Automatisierung passt zu diesen Filtern.";
export const list = "Liste";
export const selectedAutomations = "Ausgewählte Automatisierungen";
export const selectedCount = (count: number): string => `${count} ausgewählt`;
export const pauseCount = (count: number): string => `${count} pausieren`;
export const resumeCount = (count: number): string => `${count} fortsetzen`;
export const deleteCount = (count: number): string => `${count} löschen`;
export const deleteSelected = (count: number): string => (count === 1 ? "1 Job löschen?" : `${count} Jobs löschen?`);
export const deleteSelectedEffect =
  "Die Jobs und ihre Webhooks werden entfernt. Aktuelle Läufe laufen weiter, und die bisherigen Läufe bleiben erhalten.";
export const pausedCount = (count: number): string => `${count} pausiert.`;
export const resumedCount = (count: number): string => `${count} fortgesetzt.`;
export const deletedCount = (count: number): string => `${count} gelöscht.`;
export const couldNotList = (name: string): string => `Die Automatisierungen von ${name} konnten nicht geladen werden`;

// automations-page.tsx
export const automations = "Automatisierungen";
export const automationsIntroduction = "Jobs, Heartbeats und Webhooks, die Agenten ohne eine Nachricht wecken.";
export const noAgentCanHaveJobs = "Noch kein Agent kann Jobs haben.";
export const settingsOf = (name: string): string => `Einstellungen von ${name}`;
export const viewHeartbeat = "Heartbeat anzeigen";
export const viewAllAutomations = "Alle Automatisierungen anzeigen";
export const viewAutomations = "Automatisierungen anzeigen";
export const agentNotFound = "Agent nicht gefunden.";
export const viewAgents = "Agenten anzeigen";
export const onlyAdmins = "Nur Admins dieses Hauses können diese Seite öffnen. Bitte einen Admin um Zugriff.";
export const automationsOf = (name: string): string => `Automatisierungen von ${name}`;
export const cannotHaveJobs = (name: string): string =>
  `${name} kann hier keine Jobs haben. Das können nur Agenten, die in diesem Haus laufen.`;
export const heartbeatOf = (name: string): string => `Heartbeat von ${name}`;
export const cannotHaveAHeartbeat = (name: string): string =>
  `${name} kann hier keinen Heartbeat haben. Das können nur Agenten, die in diesem Haus laufen.`;

// room-field.tsx
export const directRoom = "Direkter Raum von Besitzer und Agent";
