/** German texts of this folder. */

// activity-page.tsx
export const activityOf = (name: string): string => `Aktivität von ${name}`;
export const oneLinePerRun = "Eine Zeile pro Lauf.";
export const outcome = "Ergebnis";
export const all = "Alle";
export const reasonForNoReply = "Grund für keine Antwort";
export const anyReason = "Jeder Grund";
export const showMore = "Mehr anzeigen";
export const noRunsMatch = "Keine passenden Läufe. Vielleicht wurden ältere Läufe gelöscht.";

// activity-row.tsx
export const formerMember = "Ehemaliges Mitglied";
export const hiddenRoom = "einem Raum, den du nicht siehst";
export const inRoom = (room: string): string => `In ${room}`;
export const time = "Zeit";
export const message = "Nachricht";
export const deleted = "Gelöscht";
export const openRoom = (room: string): string => `${room} öffnen`;
export const messagesInARow = "Agenten-Nachrichten in Folge";
export const noCalls = "Keine Modell- oder Werkzeugaufrufe";
export const steps = "Schritte";
export const showRun = "Lauf anzeigen";

// activity-words.ts
export const triggers = {
  direct: "Direkte Nachricht",
  mention: "Erwähnung",
  ambient: "Gruppennachricht",
  wake: "Nachricht eines Mitglieds, das alle Agenten weckt",
  inbox: "Nachricht eines anderen Agenten",
  job: "Geplanter Job",
  heartbeat: "Heartbeat",
} as const;
export const outcomes = {
  queued: "In der Warteschlange",
  running: "Läuft",
  waiting: "Wartet auf Freigabe",
  replied: "Beantwortet",
  skipped: "Keine Antwort",
  failed: "Fehlgeschlagen",
  stopped: "Gestoppt",
} as const;
export const skipTitles = {
  cooldown: "Wartezeit",
  relevance: "Nicht relevant",
  dedup: "Mit einer späteren Nachricht beantwortet",
  admission: "Autor nicht erlaubt",
  permission: "Kein Schreibzugriff",
  depth: "Limit für Agenten-Nachrichten in Folge",
  replies: "Limit für Agenten-Antworten",
  budget: "Budget ausgegeben",
} as const;
export const skipReasons = {
  cooldown: "Der Agent hat eine der letzten fünf Nachrichten geschrieben und lässt deshalb andere antworten.",
  relevance: "Die Nachricht war für den Agenten nicht relevant.",
  dedup: "Mehrere Nachrichten kamen zusammen an; der Agent hat die letzte beantwortet.",
  admission: "Der Autor der Nachricht darf in diesem Raum keine Agenten wecken.",
  permission: "Der Agent hat keinen Schreibzugriff auf diesen Raum.",
  depth: "Das Limit für aufeinanderfolgende Agenten-Nachrichten ohne eine Person wurde erreicht.",
  replies: "Das Limit für Agenten-Antworten auf eine Nachricht einer Person wurde erreicht.",
  budget: "Das Budget des Agenten ist ausgegeben.",
} as const;
/** For example "Keine Antwort: Wartezeit". */
export const skippedBecause = (title: string): string => `${outcomes.skipped}: ${title}`;
export const answeredTogether = "Zusammen mit einer anderen Nachricht beantwortet";
export const agentStatuses = {
  idle: "Untätig",
  queued: "In der Warteschlange",
  running: "Läuft",
  waiting: "Wartet auf Freigabe",
  held: "Gestoppt",
} as const;
export const tokensNotReported = "Token nicht gemeldet";
export const tokensInAndOut = (input: string, output: string): string => `${input} Token ein, ${output} aus`;
export const estimated = (counts: string): string => `${counts} (geschätzt)`;
export const relevanceCheck = "Relevanzprüfung";
export const modelCall = "Modellaufruf";
export const receivedNewMessages = "Neue Nachrichten empfangen";
export const toolCall = (tool: string): string => `Werkzeugaufruf: ${tool}`;

// activity-row.tsx
// These two follow the description of a step on the same line.
export const failed = " Fehlgeschlagen";
export const unknownResult = " Unbekanntes Ergebnis";
