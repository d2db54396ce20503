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

// change-lines.ts
export const allOf = (names: string): string => `Ganzer Inhalt von ${names}`;
export const thePatch = "Der Patch";

// call-summary.ts
export const folder = "Ordner";
export const workspaceRoot = "Oberster Ordner des Arbeitsbereichs";
export const files = "Dateien";

// call.tsx
export const risk = "Risiko";
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
export const wantsToUse = (agent: string, tool: string): string => `${agent} möchte ${tool} verwenden`;
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
export const removeRule = "Regel entfernen";
export const allowedBy = (name: string): string => `Erlaubt von ${name}`;

// use-decision.ts
export const pressAgain =
  "Diese Anfrage ist gerade erst erschienen oder verrutscht. Lies sie und drücke dann noch einmal.";
export const tooLate = "Zu spät: Diese Anfrage wurde schon entschieden, oder sie ist abgelaufen.";
export const tooLatePrefix = "Zu spät. ";

// waiting.tsx
export const waitsForAdmin = "wartet auf einen Admin seines Hauses.";
