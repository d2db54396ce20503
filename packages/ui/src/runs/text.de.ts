/** German texts of this folder. */

// run-page.tsx
export const run = "Lauf";
export const agent = "Agent";
export const room = "Raum";
export const noAccessToRoom = "Ein Raum, den du nicht siehst";
export const formerMember = "Ehemaliges Mitglied";
export const trigger = "Auslöser";
export const message = "Nachricht";
export const deleted = "Gelöscht";
export const outcome = "Ergebnis";
export const reason = "Grund";
export const models = "Modelle";
export const tokens = "Token";
export const cost = "Kosten";
export const costWithEstimates = (cost: string): string => `${cost}, teilweise geschätzt`;
export const programs = "Programme in der Sandbox";
export const includedAbove = (tokens: string): string => `${tokens}, oben enthalten`;
export const network = "Netzwerk";
export const noRequests = "Keine Anfragen";
export const oneRequest = "1 Anfrage";
export const requestCount = (count: number): string => `${count} Anfragen`;
export const secrets = "Verwendete Geheimnisse";
export const noSecrets = "Keine";
export const prompt = "Prompt";
export const showCurrentPrompt = "Aktuellen Prompt anzeigen";
export const id = "ID des Laufs";
export const details = "Details";

// run-reply.tsx
export const reply = "Antwort";
export const replyDetail =
  "Wähle einen Satz aus, um seine wahrscheinlichen Quellen zu sehen: Ergebnisse und Nachrichten dieses Laufs mit denselben Zahlen, Namen und Wörtern. Sie beweisen nicht, woher eine Tatsache stammt.";
export const replyCut = "Die Ergebnisse und Nachrichten sind lang. Nur ihr erster Teil wurde verglichen.";
export const likelySourcesOf = (sentence: string): string => `Wahrscheinliche Quellen: ${sentence}`;
export const linkedSource = "Der Satz verlinkt diese Quelle.";
export const wakingMessage = "Nachricht, die den Agenten geweckt hat";

// run-changes.tsx
export const changes = "Änderungen";
export const revertTheWholeRun = "Ganzen Lauf zurücksetzen";
export const showHistory = "Versionsverlauf anzeigen";

// run-timeline.tsx
export const timeline = "Zeitachse";
export const queued = "In die Warteschlange gestellt";
export const started = "Begonnen";
export const modelCall = (model: string): string => `Modellaufruf: ${model}`;
export const failed = "Fehlgeschlagen";
export const unknownResult = "Unbekanntes Ergebnis";
export const running = "Läuft";
export const untrustedResult = "Nicht vertrauenswürdige Inhalte";
export const inputAndOutput = "Eingabe und Ausgabe";
export const input = "Eingabe";
export const output = "Ausgabe";
export const error = "Fehler";
export const empty = "Leer";
export const approvalRequested = (call: string): string => `Freigabe angefragt: ${call}`;
export const pendingApproval = "Noch keine Entscheidung.";
export const showApproval = "Freigabe anzeigen";
export const request = (method: string, address: string): string => `Netzwerkanfrage: ${method} ${address}`;
export const tunnel = "Tunnel zu";
export const requestOutcome = { allowed: "Erlaubt", refused: "Verweigert", failed: "Fehlgeschlagen" } as const;
export const status = (code: number): string => `HTTP ${code}`;
export const bytes = (sent: string, received: string): string => `${sent} Byte gesendet, ${received} empfangen`;
export const withSecrets = (names: string): string => `Geheimnisse: ${names}`;
export const afterStart = (duration: string): string => `nach ${duration}`;

// run-prompt.tsx
export const promptParts = "Teile des Prompts";
export const promptErased = "Die Eingabe dieses Aufrufs wurde vergessen.";
export const promptTokens = (count: string): string => `Etwa ${count} Token, geschätzt aus der Länge jedes Teils.`;
export const countedTokens = (count: string, cached: string): string =>
  `Der Anbieter hat ${count} gezählt, davon ${cached} aus dem Cache.`;
export const partKinds = {
  tools: "Werkzeuge",
  file: "Datei",
  skills: "Verzeichnis der Skills",
  instructions: "Anweisungen",
  house: "Beschreibung des Hauses",
  rules: "Systemregeln",
  summary: "Zusammenfassung früherer Nachrichten",
  conversation: "Unterhaltung",
  unfinished: "Unvollendete frühere Läufe",
  inbox: "Nachrichten anderer Agenten",
  attachment: "Anhang",
  message: "Nachricht",
  intake: "Nachrichten während des Laufs",
  reply: "Antworten und Aufrufe dieses Laufs",
  result: "Ergebnisse",
  hidden: "Verborgene Teile",
} as const;
export const attachment = (name: string): string => `Anhang: ${name}`;
export const memoryFound = "Gefundene Erinnerungen";
export const resultsOf = (tool: string): string => `Ergebnisse von ${tool}`;
export const titleWithCount = (title: string, count: string): string => `${title} (${count})`;
export const part = "Teil";
export const erasedPart = "seitdem gelöscht oder vergessen";
export const hiddenPart = "Personen dieses Raums dürfen sie nicht sehen";
export const share = "Anteil";
export const unknown = "Unbekannt";
export const percent = (value: number): string => `${value} %`;
export const underOnePercent = "unter 1 %";
export const cached = "Im Cache";
export const isCached = "Ja";
export const partlyCached = "Teilweise";
export const notCached = "Nein";

// run-sources.tsx
export const sources = "Quellen";
export const sourcesDetail =
  "Inhalte von außen, die der Agent in diesem Lauf gelesen hat, mit den Schritten, die sie geliefert haben.";
export const noSources = "Der Agent hat keine Inhalte von außen gelesen.";
export const sourceUnknown = "Quelle unbekannt";
