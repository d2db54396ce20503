/** German texts of this folder. */

// setting-control.tsx
export const noLimit = "Kein Limit";
export const notANumber = "Gib eine Zahl ein, oder lass das Feld leer.";

// setting-groups.tsx
export const save = "Speichern";
export const saveGroup = (group: string): string => `${group} speichern`;
export const saved = (group: string): string => `${group} gespeichert.`;
export const savedForRestart = (group: string): string =>
  `${group} gespeichert. Die Änderung gilt nach einem Neustart.`;

// groups.ts
export const budget = "Budget";
export const budgetIntroduction =
  "Limits für die Ausgaben aller Agenten zusammen für Modelle, in US-Dollar. Jeder Agent kann zusätzlich eigene Limits haben.";
export const perDay = "Pro Tag";
export const perMonth = "Pro Monat";
export const perRun = "Pro Lauf";
export const tokensPerDay = "Token pro Tag";
export const tokensPerMonth = "Token pro Monat";
export const tokensPerRun = "Token pro Lauf";
export const atLimit = "Am Limit";
export const stopCalls = "Den Aufruf ablehnen";
export const askFirst = "Einen Admin fragen";
export const cheaperModel = "Ein günstigeres Modell verwenden";
export const nameOfCheaperModel = "Günstigeres Modell, als Anbieter/Modell";
export const runs = "Läufe";
export const runsIntroduction =
  "Limits, die endlose Arbeit beenden. Eine Nachricht einer Person, die einen Agenten erwähnt, wird immer beantwortet.";
export const toolCalls = "Werkzeugaufrufe pro Lauf";
export const wakeUpsInARow = "Aufeinanderfolgende Weckrufe zwischen Agenten";
export const wakeUpsInARowHint = "Wie oft Agenten einander ohne Nachricht einer Person wecken.";
export const replies = "Antworten von Agenten auf eine Nachricht";
export const approvalHours = "Unbeantwortete Freigaben (Stunden)";
export const files = "Dateien in Nachrichten";
export const perFile = "Größte Datei (MiB)";
export const perPerson = "Alle Dateien einer Person (MiB)";
export const perHouse = "Alle Dateien des Hauses (MiB)";
export const unnamedHours = "Hochgeladene Dateien ohne Nachricht (Stunden)";
export const keepMetadata = "Metadaten von Bildern behalten";
export const keepMetadataHint = "Metadaten können den Ort enthalten, an dem ein Bild aufgenommen wurde.";
export const keeping = "Aufbewahrung";
export const keepingIntroduction = "Nachrichten in Räumen bleiben, bis sie gelöscht werden.";
export const activityDays = "Details von Läufen (Tage)";
export const deliveryDays = "Gesendete Nachrichten von Kanälen (Tage)";
export const jobDays = "Bisherige Läufe von Automatisierungen (Tage)";
export const usageDays = "Nutzung der Modelle (Tage)";

export const newSandboxes = "Standard der Sandboxes";
export const newSandboxesIntroduction =
  "Für Agenten ohne eigene Einstellungen. Offene Sandboxes behalten ihre Einstellungen, bis sie geschlossen werden.";
export const sandboxType = "Isolierung";
export const openAtOnce = "Höchstzahl offener Sandboxes";
export const idleSeconds = "Leerlauf bis zum Schließen (Sekunden)";
export const silenceSeconds = "Längste Stille während der Arbeit (Sekunden)";
export const limitsOfSandbox = "Limits einer Sandbox";
export const limitsOfSandboxIntroduction = "Für den Agenten und seine Befehle zusammen.";
export const memoryMiB = "Arbeitsspeicher (MiB)";
export const processes = "Prozesse";
export const processors = "Prozessoren";
export const largestFile = "Größte Datei (MiB)";
export const disk = "Festplatte (MiB)";

export const summaries = "Zusammenfassungen";
export const summariesIntroduction =
  "Wenn ein Gespräch die Kontextgröße seines Modells erreicht, ersetzt eine Zusammenfassung den ältesten Teil.";
export const summaryModel = "Modell";
export const summaryModelHint = "Als Anbieter/Modell. Standard: das Modell des Agenten.";
export const agentsOwnModel = "Modell des Agenten";
export const reserve = "Freigehaltene Token pro Lauf";
export const automatic = "Automatisch";
export const memorySearch = "Suche im Gedächtnis";
export const memorySearchIntroduction = "Wie Agenten finden, was sie sich gemerkt haben.";
export const memoryIndex = "Index";
export const memoryIndexes = {
  sqlite: "Wörter und Bedeutung",
  markdown: "Nur Wörter",
  none: "Keine Suche: Agenten lesen ihre Dateien",
} as const;
export const embedder = "Embedding-Modell";
export const embedders = {
  local: "Eingebaut, sendet nichts",
  none: "Keines",
  ollama: "Ollama",
  "openai-compatible": "OpenAI-kompatibler Endpunkt",
} as const;
export const embedderHint =
  "Ein Server erhält jeden Text eines Gedächtnisses. Nach einer Änderung werden alle Vektoren neu berechnet.";
export const embeddingModel = "Modell auf dem Server";
export const embeddingAddress = "Adresse des Servers";
export const embeddingDimensions = "Länge der Vektoren";
export const embeddingKey = "Schlüssel";
export const embeddingKeyHint = "Der Name eines Geheimnisses, als secret:NAME.";
export const resultsPerSearch = "Fakten pro Suche";
export const meaningWeight = "Gewicht der Bedeutung";
export const wordsWeight = "Gewicht der Wörter";
export const learned = "Gelernt";
export const halfLife = "Halbwertszeit von Fakten (Tage)";
export const ageHasNoEffect = "Alter ohne Wirkung";
export const indexIdleSeconds = "Leerlauf des Index (Sekunden)";

export const localAddresses = "Adressen dieses Rechners";
export const localAddressesIntroduction = "Programme auf diesem Rechner sind oft ohne Passwort erreichbar.";
export const loopback = "Agenten können Zugriff auf Adressen dieses Rechners bekommen";
export const loopbackHint = "Ein Agent braucht weiterhin Zugriff auf jede einzelne Adresse.";
export const logSettings = "Einstellungen des Protokolls";
export const lowestLevel = "Niedrigste Stufe";
export const logLevels = { debug: "Debug", info: "Info", warn: "Warnung", error: "Fehler" } as const;
export const logSinks = "Geschrieben in";
export const logSinkTitles = { file: "Protokolldatei", stderr: "Standardfehlerausgabe des Prozesses" } as const;
export const logins = "Anmeldungen";
export const loginsIntroduction = "Wie lange ein Browser angemeldet bleibt.";
export const sessionDays = "Höchstens (Tage)";
export const idleMinutes = "Ohne Anfrage (Minuten)";

export const defaultModel = "Standardmodell";
export const defaultModelIntroduction =
  "Für Agenten, die ohne Modell erstellt werden. Bestehende Agenten behalten ihres.";
export const modelOfNewAgents = "Modell neuer Agenten";
export const modelFormat = "Als Anbieter/Modell.";
export const noModel = "Kein Modell";
