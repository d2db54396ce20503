/** German texts of this folder. */
import type { AgentMode, ToolLack } from "@hearth/protocol";

// access-tab.tsx
export const access = "Zugriff";
export const houseRole = "Rolle im Haus";
export const houseRoleDetail =
  "Gilt für das ganze Haus. Die Rolle in einem einzelnen Raum steht auf der Seite dieses Raums.";

// web-switch.tsx
export const webAccess = "Webzugriff";
export const readsTheWeb = "Öffentliche Seiten lesen";
export const readsTheWebDetail = (name: string): string =>
  `${name} kann jede öffentliche Seite über HTTPS lesen. Anfragen enthalten keine Geheimnisse, keine Cookies und keine Daten außer der Adresse.`;
export const webRules = [
  "Seiten können Anweisungen von Fremden enthalten. Nachdem der Agent eine gelesen hat, fragt er, bevor er eine Adresse liest, die du nicht geschrieben hast.",
  "Er kann dein lokales Netzwerk nicht erreichen, und Programme in seiner Sandbox können diesen Zugriff nicht verwenden.",
] as const;
export const webTurnedOn = "Webzugriff eingeschaltet.";
export const webTurnedOff = "Webzugriff ausgeschaltet.";
export const searchesToo = "Er sucht auch im Web, mit der Suchmaschine dieses Hauses.";
export const noSearchEngine = "Er kann nicht im Web suchen: Dieses Haus hat keine Suchmaschine.";
export const setSearchEngine = "Suchmaschine einrichten";
export const fetchStays =
  "Der Agent behält das Werkzeug für einzelne Seiten, weil er noch andere Hosts erreichen darf.";
export const planReadsNoPages = "Mit „Nur planen“ liest er keine Seiten.";

// mode-section.tsx
export const approvals = "Freigaben";
export const approvalsOf = (name: string): string => `Wann ${name} fragt`;
export const modeTitles: Readonly<Record<AgentMode, string>> = {
  default: "Wenn vielleicht Text von Fremden dahintersteht",
  ask: "Vor jeder Änderung",
  plan: "Nur planen",
  unattended: "Nie fragen",
};
export const modeDetails: Readonly<Record<AgentMode, string>> = {
  default:
    "Der Agent tut, was seine Werkzeuge und Hosts erlauben. Er fragt vor Aufrufen, die ein Fremder veranlasst haben könnte oder die Daten zerstören.",
  ask: "Der Agent liest frei und fragt, bevor er etwas ändert oder sendet.",
  plan: "Der Agent liest nur und beschreibt, was er tun würde.",
  unattended:
    "Wie die erste Möglichkeit, aber Aufrufe, die eine Freigabe bräuchten, werden abgelehnt. Für Agenten, die ohne eine Person laufen.",
};
export const byDefault = "Standard";
export const saved = "Gespeichert.";
export const trustedForm = "Vertrauenswürdige Ordner";
export const trustedFolders = "Vertrauenswürdige Ordner (optional)";
export const trustedHint =
  "Ordner des Arbeitsbereichs, in die der Agent ohne Nachfrage schreiben darf, einer pro Zeile. Ein einzelner Punkt ist der ganze Arbeitsbereich. Sie gelten nur in einer Sandbox mit Isolation.";

// tool-section.tsx
export const tools = "Werkzeuge";
export const toolsDetail = (name: string): string =>
  `Die Werkzeuge von ${name}. Eine Änderung gilt ab dem nächsten Lauf.`;
export const resetTools = "Standardwerkzeuge verwenden";
export const toolsReset = "Standardwerkzeuge wiederhergestellt.";
export const toolTurnedOn = (title: string): string => `${title}: eingeschaltet.`;
export const toolTurnedOff = (title: string): string => `${title}: ausgeschaltet.`;
export const changedTools = (count: number): string =>
  count === 1 ? "Ein Werkzeug weicht vom Standard ab." : `${count} Werkzeuge weichen vom Standard ab.`;
export const neverAsks = "Fragt nie";
export const asksAlways = "Fragt jedes Mal";
export const asksWhenTainted = "Fragt, nachdem der Agent Text von Fremden gelesen hat";
export const refusedWhenTainted = "Wird abgelehnt, nachdem der Agent Text von Fremden gelesen hat";
export const refusedAlways = "Wird durch „Nur planen“ abgelehnt";
export const refusedUnattended = "Wird durch „Nie fragen“ abgelehnt";
export const lacks: Readonly<Record<ToolLack, string>> = {
  isolation:
    "Die Sandbox des Agenten hat keine Isolation. Wenn du das Werkzeug einschaltest, können Befehle alles auf dem Rechner erreichen.",
  "other-agents": "Es gibt keinen anderen Agenten, den dieser erreichen kann.",
  pictures: "Dieses Haus hat keinen Anbieter für Bilder.",
  "search-engine": "Dieses Haus hat keine Suchmaschine.",
};
export const remedies: Readonly<Record<ToolLack, string>> = {
  isolation: "Einstellungen der Sandbox",
  "other-agents": "Agent hinzufügen",
  pictures: "Anbieter einrichten",
  "search-engine": "Suchmaschine einrichten",
};

// tool-words.ts
export const groups = {
  web: "Web",
  files: "Dateien und Befehle",
  memory: "Gedächtnis",
  messages: "Nachrichten und Bilder",
  agents: "Andere Agenten",
  automations: "Automatisierungen",
  house: "Haus",
  external: "Externe Werkzeuge",
} as const;

// agent-secrets.tsx
export const secrets = "Geheimnisse";
export const secretsDetail = (name: string): string =>
  `Schlüssel und Passwörter, die das Haus den Anfragen von ${name} hinzufügt. Der Agent sieht sie nie.`;
export const noSecrets = "Keine Geheimnisse";
export const manageSecrets = "Web & Geheimnisse";
export const manageSecretsDetail = "Füge Geheimnisse hinzu, und erlaube ihre Verwendung.";
export const useOf = (secret: string, host: string): string => `${secret} bei ${host}`;
export const revoke = "Widerrufen";
export const revokeUse = (use: string): string => `${use} widerrufen`;
export const useRevoked = (use: string): string => `${use} widerrufen.`;

export const loading = "Wird geladen";
