/** German texts of this folder. */

// approval-card.tsx
export const formerMember = "Ehemaliges Mitglied";
export const reason = "Begründung (optional)";
export const deny = "Ablehnen";
export const reasonHint = "Der Agent sieht sie";
export const inHiddenRoom = "In einem Raum, den du nicht siehst";
export const inRoom = "In";
export const requested = "angefragt:";
export const requestedInRoom = "Angefragt:";
export const expiresOn = (date: string): string => `läuft ab am ${date} um`;

// approved-scope.ts
export const fieldTitles = {
  agent: "Agent",
  answer: "Antwort",
  args: "Argumente",
  background: "Hintergrund",
  caption: "Bildunterschrift",
  command: "Befehl",
  content: "Inhalt",
  from: "Seite",
  input: "Eingabe",
  limit: "Anzahl der Ergebnisse",
  mask: "Maske",
  maxToolCalls: "Anzahl der Werkzeugaufrufe",
  n: "Anzahl der Bilder",
  name: "Name",
  new: "neuer Text",
  old: "alter Text",
  patch: "Patch",
  path: "Datei",
  prompt: "Prompt",
  query: "Suche",
  question: "Frage",
  room: "Raum",
  size: "Größe",
  source: "Datei",
  spec: "Diagramm",
  task: "Aufgabe",
  text: "Text",
  timeoutSeconds: "Zeitlimit",
  tools: "Werkzeuge",
  url: "Adresse",
} as const;
export const thisCall = "Dieser Aufruf, einmal.";
export const exactCallOnly = "Nur genau dieser Aufruf";
export const similarCalls = (same: string, others: string): string =>
  `Aufrufe mit denselben Angaben: ${same} (beliebig: ${others})`;
export const scopeEnds = {
  session: (calls: string): string => `${calls}. Bis in diesem Raum eine neue Sitzung beginnt.`,
  rule: (calls: string): string => `${calls}. In jedem Raum, bis du die Regel entfernst.`,
} as const;
export const sameModel =
  "Weitere Aufrufe dieses Modells über das Limit hinaus, bis in diesem Raum eine neue Sitzung beginnt.";
export const nothingElse = "Alles andere muss gleich sein.";
export const mayDiffer = (others: string): string => `Beliebig: ${others}.`;

// ask-words.ts
export const asksBeforeChanges = "Dieser Agent fragt vor jedem Aufruf, der mehr tut als lesen.";
export const cannotBeUndone = "Der Aufruf lässt sich nicht rückgängig machen.";
const afterReading = (sources: string | undefined): string =>
  sources === undefined ? "" : ` Der Agent hat Text von ${sources} gelesen.`;
export const foreignLink = (sources: string | undefined): string =>
  `Der Aufruf enthält einen Link, den du nicht geschrieben hast.${afterReading(sources)}`;
export const foreignDestination = (sources: string | undefined): string =>
  `Der Aufruf sendet Daten an ein Ziel, das du nicht genannt hast.${afterReading(sources)}`;
export const unknownDestination =
  "Der Aufruf sagt nicht, wohin er Daten sendet, und der Agent hat Text von Fremden gelesen.";

// change-lines.ts
export const allOf = (names: string): string => `Ganzer Inhalt von ${names}`;
export const thePatch = "Der Patch";

// call-summary.ts
export const folder = "Ordner";
export const workspaceRoot = "Oberster Ordner des Arbeitsbereichs";
export const files = "Dateien";

// call.tsx
export const risk = "Risiko";
export const why = "Warum";
export const exactCall = "Genauer Aufruf";

// pending-count.tsx
export const pending = " offen";

// outcome-words.ts
export const scopeButtons = {
  once: "Einmal erlauben",
  session: "In diesem Chat erlauben",
  rule: "Immer erlauben",
} as const;
export const scopeTitles = { session: "Dieser Chat", rule: "Immer" } as const;
export const wantsToRunCommand = (agent: string): string => `${agent} möchte einen Befehl ausführen`;
export const asksFor = (agent: string, tool: string): string => `${agent} bittet um Freigabe: ${tool}`;
export const wantsToCallModel = (agent: string, model: string): string =>
  `${agent} möchte das Modell ${model} aufrufen`;
/** These two are the `who` of the texts that follow. */
export const decidedByAdmin = "einem Admin";
export const decidedByYou = "dir";
export const allowedWords = {
  once: (who: string): string => `Einmal erlaubt von ${who}.`,
  session: (who: string): string => `Bis zur nächsten Sitzung erlaubt von ${who}.`,
  rule: (who: string): string => `Mit einer gespeicherten Regel erlaubt von ${who}.`,
} as const;
export const callHasStarted = "Der Aufruf hat begonnen.";
export const deniedWords = (who: string): string => `Abgelehnt von ${who}.`;
export const expiredWithoutAnswer = "Ohne Antwort abgelaufen, deshalb wurde der Aufruf abgelehnt.";
export const closedWithoutRunning = "Geschlossen, ohne ausgeführt zu werden.";

// rules.tsx
export const savedRules = "Gespeicherte Regeln";
export const ruleRemoved = "Regel entfernt. Der Agent fragt vor solchen Aufrufen wieder.";
export const you = "dir";
export const noSavedRules = "Keine gespeicherten Regeln. Agenten fragen jedes Mal.";
export const savedRulesDetail = "Vor Aufrufen, die zu diesen Regeln passen, fragen Agenten nicht.";
export const mayRunCommand = (agent: string): string => `${agent} darf diesen Befehl ohne Freigabe ausführen.`;
export const mayCall = (agent: string, tool: string): string => `${agent} darf dies ohne Freigabe tun: ${tool}.`;
export const inEveryRoom = "In jedem Raum.";
export const inRoomUntilSession = (room: string): string => `In ${room}, bis dort eine neue Sitzung beginnt.`;
export const aRoomYouCannotSee = "einem Raum, den du nicht siehst";
export const exactRule = "Genaue Regel";
export const removeRule = "Regel entfernen";
export const allowedBy = (name: string): string => `Erlaubt von ${name}`;

// use-decision.ts
export const pressAgain =
  "Diese Anfrage ist gerade erst erschienen oder verrutscht. Lies sie und drücke dann noch einmal.";
export const tooLate = "Zu spät: Diese Anfrage wurde schon entschieden, oder sie ist abgelaufen.";
export const tooLatePrefix = "Zu spät. ";

// waiting.tsx
export const waitsForAdmin = "wartet auf einen Admin seines Hauses.";
