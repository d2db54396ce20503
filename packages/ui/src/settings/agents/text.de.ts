/** German texts of this folder. */
import type { CellLimits } from "@hearth/protocol";

// agent-at.tsx
export const loading = "Wird geladen";

// agent-budget.tsx
export const budget = "Budget";
export const limitsAndSpending = (name: string): string => `Limits und Ausgaben von ${name}.`;
export const noLimitOrSpending = "Kein Limit für diesen Agenten und keine Ausgaben in diesem Monat.";
export const agent = "Agent";
export const house = "Haus";
export const limitPerRun = (limit: string): string => `Limit für einen einzelnen Lauf jedes Agenten: ${limit}. `;
export const houseLimitsAreOn = "Die Limits aller Agenten zusammen stehen auf der Seite";
export const usageAndLimits = "Nutzung & Limits";
export const usageOf = (name: string): string => `Nutzung von ${name} ansehen`;
export const budgetForm = "Budget";
export const noLimit = "Kein Limit";
export const atLimit = "Wenn das Limit erreicht ist";
export const endRunByDefault = "Standard: den Lauf mit einer Nachricht beenden";
export const endRun = "Den Lauf mit einer Nachricht beenden";
export const askAdmin = "Einen Admin um Freigabe bitten";
export const switchToCheaperModel = "Ein günstigeres Modell verwenden";
export const cheaperModel = "Günstigeres Modell";
export const modelNameFormat = "Format: Anbieter/Modell.";

// budget-words.ts
export const budgetPeriods = { turn: "Pro Lauf", day: "Pro Tag", month: "Pro Monat" } as const;
export const tokenCount = (_tokens: number, formatted: string): string => `${formatted} Token`;
/** Between the two units of a limit. */
export const and = " und ";
export const today = "Heute";
export const thisMonth = "Dieser Monat";
export const limitReached = "Limit erreicht.";
export const moreThanSpent = (percent: number): string => `Mehr als ${percent} % des Limits sind ausgegeben.`;
export const agentsAskAtLimit = "Agenten fragen vor weiteren Aufrufen einen Admin.";
export const furtherCallsUse = (model: string): string => `Weitere Aufrufe verwenden ${model}.`;
export const runsEndWithMessage = "Läufe enden mit einer Nachricht.";
export const budgetUnits = { money: "US-Dollar", tokens: "Token" } as const;
export const enterAnAmount = "Gib einen Betrag ein, zum Beispiel 2,50.";
export const enterAWholeNumber = "Gib eine ganze Zahl ein.";
export const enterAModel = "Gib ein Modell im Format Anbieter/Modell ein.";

// cell-words.ts
export const sandboxKinds = {
  auto: "Schnellste mit Isolation",
  strongest: "Stärkste Isolation",
  inline: "In Hearth, keine Isolation",
  process: "Prozess, keine Isolation",
  landlock: "Landlock: isolierte Dateien, kein Netzwerk",
  bubblewrap: "bubblewrap: Container",
  qemu: "Virtuelle Maschine",
} as const;
export const isolations = {
  none: "in Hearth",
  process: "Prozess",
  container: "Container",
  kernel: "isolierter Kernel",
  vm: "virtuelle Maschine",
} as const;
export const isolated = {
  fs: "Dateien",
  net: "Netzwerk",
  kernel: "Kernel",
  memory: "Arbeitsspeicher",
  pids: "Prozesse",
  cpu: "CPU",
} as const;
export const noIsolation = "Keine Isolation";
export const isolationOf = (parts: string): string => `Isolation: ${parts}`;
export const sandboxLimits = ({ memoryMiB, processes, cpus, fileMiB, diskMiB }: CellLimits): string =>
  `${memoryMiB} MiB Arbeitsspeicher, ${processes} Prozesse, ${cpus} CPU, ${fileMiB} MiB pro Datei, ${diskMiB} MiB insgesamt`;
export const limitsOf = (limits: string): string => `Grenzen: ${limits}`;
export const activeRuns = (count: number): string =>
  count === 0 ? "Keine aktiven Läufe" : count === 1 ? "1 aktiver Lauf" : `${count} aktive Läufe`;
export const limitLabels = {
  memoryMiB: "Arbeitsspeicher, MiB",
  processes: "Prozesse und Threads",
  cpus: "CPUs (0.5 ist eine halbe)",
  fileMiB: "Größte Datei, MiB",
  diskMiB: "Alle Dateien, MiB",
} as const;
export const enterANumberFrom = (least: number): string => `Gib eine Zahl ab ${least} ein.`;
export const enterAWholeNumberFrom = (least: number): string => `Gib eine ganze Zahl ab ${least} ein.`;

// agent-cells.tsx
export const sandboxes = "Sandboxes";
export const sandboxesIntroduction = (name: string): string =>
  `${name} führt Werkzeuge in Sandboxes aus: eine für private Räume und eine für jeden anderen Raum. Sie öffnen sich bei Bedarf.`;
export const privateSandbox = "Privat";
export const sandboxOfHiddenRoom = "Ein Raum, den du nicht siehst";
export const sandboxOfRoom = (name: string): string => `Raum ${name}`;
export const noOpenSandboxes = "Keine offenen Sandboxes";
export const closeSandbox = (name: string): string => `Sandbox schließen: ${name}`;
export const sandboxClosed = "Sandbox geschlossen.";
export const close = "Schließen";
export const sandboxOpened = "Sandbox geöffnet.";
export const openSandbox = "Sandbox öffnen";
export const sandboxForm = "Sandbox-Einstellungen";
export const sandboxType = "Art der Sandbox";
export const sandboxTypeHint = "Gilt ab dem nächsten Lauf. Offene Sandboxes schließen sich, wenn ihre Läufe enden.";
export const byDefault = "Standard";
export const opened = "geöffnet um";

// agent-model.tsx
export const modelNameRequired = "Verwende das Format Anbieter/Modell.";
export const model = "Modell";
export const modelNameHint =
  "Format: Anbieter/Modell. Frage den Administrator des Servers nach den verfügbaren Modellen. Lass das Feld für kein Modell leer.";
export const changeModel = "Modell ändern";
export const modelForm = "Modell";
export const saved = "Gespeichert.";
export const modelSource = "Modellquelle";
export const cancel = "Abbrechen";
export const saveForm = (subject: string | undefined): string =>
  subject === undefined ? "Speichern" : `${subject} speichern`;

// agent-page.tsx
export const agents = "Agenten";
export const profile = "Profil";
export const profileForm = "Profil";
export const pagesOf = (name: string): string => `Einstellungen von ${name}`;
export const person = "Person";
export const automations = "Automatisierungen";
export const brain = "Gehirn";
export const files = "Dateien";
export const workspace = "Arbeitsbereich";
export const workspaceDetail = "Die Dateien, die der Agent erstellt hat.";
export const filesDetail =
  "Die Notizen des Agenten als einfache Dateien. Du kannst sie ansehen, bearbeiten und erstellen.";
export const memory = "Gedächtnis";
export const memoryDetail = "Durchsuche, ergänze und lösche, was der Agent sich merkt.";
export const versions = "Versionsverlauf";
export const versionsDetail = "Jede Änderung an einer Datei. Du kannst vergleichen und zurücksetzen.";
export const prompt = "Prompt";
export const promptDetail = "Die Teile des Gehirns, die jeder Lauf liest.";
export const jobs = "Jobs";
export const jobsDetail = "Geplante Aufgaben und ihre bisherigen Läufe.";
export const heartbeat = "Heartbeat";
export const heartbeatDetail = "Regelmäßiges Nachsehen: Zeitplan und bisherige Läufe.";
export const context = "Kontext";
export const contextDetail = "Der Kontext des nächsten Laufs und wartende Nachrichten.";
export const houseRole = "Rolle im Haus";
export const houseRoleDetail =
  "Gilt für das ganze Haus. Die Rolle in einem einzelnen Raum steht auf der Seite dieses Raums.";
export const runtime = "Laufzeit";
export const externalRuntime = "Ein externes Programm. Es liest und schreibt in seinen Räumen mit einem API-Schlüssel.";
export const nameHint = "Ändert auch die @Erwähnung.";
export const description = "Beschreibung (optional)";
export const descriptionHint = "Für Personen sichtbar.";
export const instructionsTitle = "Anweisungen";
export const instructionsForm = "Anweisungen";
export const instructions = "Anweisungen (optional)";
export const instructionsHint = "Der Agent liest diese Anweisungen vor jeder Antwort.";
export const agentRemovalEffect = (name: string): string => `${name} stoppt sofort und antwortet nicht mehr.`;
export const personRemovalEffect = (name: string): string => `${name} verliert den Zugriff.`;
export const agentRemovalConsequences =
  "Aktuelle Läufe stoppen, und die API-Schlüssel gelten nicht mehr. Nachrichten und der Ordner auf dem Server bleiben erhalten.";
export const personRemovalConsequences =
  "Passwort, Sitzungen und API-Schlüssel gelten sofort nicht mehr. Nachrichten bleiben erhalten.";

// agent-queue.tsx
export const includeNow = "Sofort einbeziehen";
export const oneByOne = "Nacheinander";
export const queueTogether = "Sammeln";
export const restart = "Neu beginnen";
export const newMessages = "Neue Nachrichten";
export const newMessagesOf = (name: string): string => `Neue Nachrichten während eines Laufs von ${name}`;

// agent-retrieval.tsx
export const keywordsAndMeaning = "Stichwörter und Bedeutung";
export const keywordsAndMeaningDetail =
  "Findet auch Texte mit anderen Wörtern. Texte werden an das eingestellte Embedding-Modell gesendet.";
export const keywordsOnly = "Nur Stichwörter";
export const keywordsDetail = "Nur Stichwortsuche; nichts wird an ein Embedding-Modell gesendet.";
export const off = "Aus";
export const offDetail = "Keine Gedächtnissuche. Die Dateien bleiben, und der Agent kann sie lesen.";
export const memorySearch = "Gedächtnissuche";
export const memorySearchOf = (name: string): string => `Gedächtnissuche von ${name}`;

// agent-stop.tsx
export const stopped = (name: string): string => `${name} gestoppt.`;
export const resumed = (name: string): string => `${name} fortgesetzt.`;
export const stop = "Stoppen";
export const stopDetail = (name: string): string =>
  `Aktuelle Läufe von ${name} stoppen sofort, und neue beginnen erst, wenn du den Agenten fortsetzt. Nachrichten warten.`;
export const viewAllAgents = "Alle Agenten anzeigen";
export const stopAgent = (name: string): string => `${name} stoppen`;
export const resumeAgent = (name: string): string => `${name} fortsetzen`;
export const aFormerMember = "einem ehemaligen Mitglied";
export const stoppedWithAllAgentsBy = (name: string): string =>
  `${name} wurde zusammen mit allen Agenten gestoppt, und zwar von`;
export const stoppedBy = (name: string): string => `${name} wurde gestoppt von`;
export const at = "um";
export const messagesWait = "Nachrichten warten.";

// agent-trigger.tsx
export const onlyWhenMentioned = "Nur bei Erwähnung";
export const whenRelevant = "Wenn relevant";
export const onlyWhenMentionedDetail =
  "In Gruppenräumen beantwortet der Agent nur Nachrichten, die ihn mit @ erwähnen.";
export const whenRelevantDetail =
  "Der Agent liest mit und beantwortet relevante Nachrichten. Erwähnungen beantwortet er immer.";
export const whenItResponds = "Wann er antwortet";
export const responseForm = "Antwortverhalten";
export const whenItRespondsDetail = "In direkten Räumen beantwortet der Agent jede Nachricht.";
export const inGroupRooms = "In Gruppenräumen";
export const enterSeconds = (maxSeconds: number): string => `Gib eine Zahl von Sekunden von 0 bis ${maxSeconds} ein.`;
export const modelNameOptional = "Verwende das Format Anbieter/Modell, oder lass das Feld leer.";
export const pauseBeforeItResponds = "Pause vor der Antwort (Sekunden)";
export const pauseHint = "Eine längere Pause lässt Personen ausreden.";
export const afterItsOwnMessage = "Nach einer eigenen Nachricht";
export const letOthersReplyFirst = "Andere zuerst antworten lassen (fünf Nachrichten lang)";
export const noCooldown = "Keine Wartezeit";
export const relevanceCheck = "Relevanzprüfung";
export const relevanceByDefault = "Modell, falls unten angegeben, sonst Stichwörter";
export const relevanceByKeywords = "Stichwörter aus Name, Beschreibung und Anweisungen";
export const noRelevanceCheck = "Keine: Jede Nachricht ist relevant";
export const relevanceModel = "Relevanzmodell (optional)";
export const relevanceModelHint =
  "Ein kleines Modell reicht, zum Beispiel ollama/llama3.2. Standard: das Modell des Agenten.";

// agents-page.tsx
export const agentsOfHouse = (house: string): string => `Agenten von ${house}`;
export const noAgentsYet = "Noch keine Agenten";
export const importFromProgram = "Agent eines anderen Programms importieren";
export const addAgentOrPerson = "Agent oder Person hinzufügen";
export const people = "Personen";
export const agentsAndPeople = "Agenten und Personen";
export const onlyAgents = "Agenten";
export const kind = "Art";
export const name = "Name";
export const allStates = "Alle Zustände";
export const stopCount = (count: number): string => (count === 1 ? "1 Agenten stoppen" : `${count} Agenten stoppen`);
export const stoppedCount = (count: number): string =>
  count === 1 ? "1 Agent gestoppt." : `${count} Agenten gestoppt.`;
export const resumeCount = (count: number): string =>
  count === 1 ? "1 Agenten fortsetzen" : `${count} Agenten fortsetzen`;
export const resumedCount = (count: number): string =>
  count === 1 ? "1 Agent fortgesetzt." : `${count} Agenten fortgesetzt.`;
export const removeCount = (count: number): string => `${count} entfernen`;
export const removedCount = (count: number): string => `${count} entfernt.`;
export const removeSelected = (count: number): string => `${count} aus diesem Haus entfernen?`;
export const removeSelectedEffect =
  "Sie verlieren den Zugang, und ihre Schlüssel und Anmeldungen enden. Ihre Nachrichten bleiben in den Räumen. Du kannst das nicht rückgängig machen.";
export const stopOne = "Stoppen";
export const resumeOne = "Fortsetzen";
export const removeOne = "Entfernen";
export const respondsHow = (when: string): string => `antwortet ${when.charAt(0).toLowerCase()}${when.slice(1)}`;
export const ifMentioned = "Bei Erwähnung";
export const ifRelevant = "Bei Relevanz";
export const runsElsewhere = "Läuft anderswo";
export const noLanguageModel = "Kein Sprachmodell";
export const youSuffix = " (du)";
export const modelByProvider = (model: string, provider: string): string => `${model} von ${provider}`;

// budget-rows.tsx
export const spent = "Ausgegeben";
export const reservedForActiveCalls = "Für aktive Aufrufe reserviert";
export const limit = "Limit";
export const none = "Keines";
export const percentSpent = (percent: number): string => `, ${percent} % ausgegeben`;
export const remaining = "Verbleibend";
export const resets = "Beginnt neu";

// inside-page.tsx
export const tools = "Werkzeuge";
export const timeZone = "Zeitzone";
export const contextOf = (agentName: string): string => `Kontext von ${agentName}`;
export const nextRunInput = "Die Eingabe, die der nächste Lauf bekommt.";
export const state = "Status";
export const responds = "Antwortet";
export const sandbox = "Sandbox";
export const instructionsOfAgent = "Anweisungen";
export const roomsWithPendingWork = "Räume mit wartender Arbeit";
export const noPendingWork = "Keine aktiven Läufe oder wartenden Nachrichten";
export const recentRuns = "Letzte Läufe";
export const characters = (count: string): string => `${count} Zeichen`;
export const runningCount = (count: number): string => `${count} aktiv`;
export const queuedCount = (count: number): string => `${count} in der Warteschlange`;
export const waitingCount = (count: number): string =>
  count === 1 ? "1 wartet auf Freigabe" : `${count} warten auf Freigabe`;
export const waitingForPause = "wartet auf eine Pause in der Unterhaltung";
export const readCount = (read: number, total: number): string => `${read} von ${total} Nachrichten gelesen`;
export const respondsAfterPause = (seconds: number): string => `Antwortet nach einer Pause von ${seconds} s`;
export const cooldownIsOn = "Wartezeit nach einer eigenen Nachricht";
export const cooldownIsOff = "keine Wartezeit";
export const relevanceByModel = "Relevanzprüfung durch ein Modell";
export const relevanceCheckByKeywords = "Relevanzprüfung nach Stichwörtern";
export const relevanceCheckIsOff = "keine Relevanzprüfung";

// new-agent-page.tsx
export const enterAName = "Gib einen Namen ein.";
export const nextEnterModel = "Als Nächstes gibst du auf der Seite des Agenten das Modell ein.";
export const nextCreateKey = "Als Nächstes erstellst du auf der Seite des Agenten einen API-Schlüssel.";
export const nextSetPassword = "Als Nächstes legst du auf der Seite der Person ein Passwort fest.";
export const memberAdded = (name: string): string => `${name} hinzugefügt.`;
export const type = "Art";
export const agentHereDetail = "Läuft in diesem Haus und antwortet selbstständig";
export const agentElsewhere = "Agent, der anderswo läuft";
export const agentElsewhereDetail = "Dein eigenes Programm, das sich mit einem API-Schlüssel verbindet";
export const personTypeDetail = "Meldet sich mit einem Browser an";
export const roleInThisHouse = "Rolle in diesem Haus";
export const addPerson = "Person hinzufügen";
export const createAgent = "Agent erstellen";

// stop-all.tsx
export const allAgentsStopped = "Alle Agenten gestoppt.";
export const allAgentsResumed = "Alle Agenten fortgesetzt.";
export const stopAllAgents = "Alle Agenten stoppen";
export const stopAllNow = "Alle Agenten jetzt stoppen";
export const stopAllDetail =
  "Aktuelle Läufe stoppen sofort, und neue beginnen erst, wenn du die Agenten fortsetzt. Nachrichten warten. Einzeln gestoppte Agenten bleiben gestoppt.";
export const resumeAllAgents = "Alle Agenten fortsetzen";

// agent-fallback.tsx
export const fallbackModels = "Ersatzmodelle";
export const fallbackDetail =
  "Wenn das Modell ausfällt, antworten diese Modelle. Sie werden in dieser Reihenfolge versucht.";
export const noFallback = "Keine Ersatzmodelle";
export const moveUp = "Nach oben";
export const moveUpModel = (model: string): string => `Nach oben: ${model}`;
export const removeFallback = "Entfernen";
export const removeModel = (model: string): string => `Entfernen: ${model}`;
export const newFallback = "Neues Ersatzmodell";
export const addFallback = "Ersatzmodell hinzufügen";
export const fallbackTwice = "Dieser Agent verwendet dieses Modell schon. Wähle ein anderes.";
export const fallbackAdded = (model: string): string => `${model} hinzugefügt.`;
export const fallbackRemoved = (model: string): string => `${model} entfernt.`;
export const fallbackMoved = (model: string, place: number): string => `${model} ist jetzt Nummer ${place}.`;

// budget-rows.tsx
export const estimatedPart = "Davon geschätzt";
export const estimatedAmount = (amount: string): string =>
  `${amount}. Der Anbieter hat die Nutzung dieser Anfragen nicht gemeldet, zum Beispiel weil sie unterbrochen wurden.`;
