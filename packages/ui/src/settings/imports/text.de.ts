/** German texts of this folder. */
import type { ImportKind, ImportPart } from "@hearth/protocol";
import type { GroupKind } from "./groups.ts";

// import-page.tsx
export const agents = "Agenten";
export const importAgent = "Agent importieren";
export const introduction =
  "Importiert einen Agenten eines anderen Programms aus einem Ordner auf dem Rechner des Hauses. Der Ordner wird nicht verändert. Melde dich zuerst mit einem Anmeldelink oder einem Passkey an. Du kannst dann 15 Minuten lang importieren.";
export const program = "Programm";
export const programs: Readonly<Record<ImportKind, string>> = {
  openclaw: "OpenClaw",
  hermes: "Hermes Agent",
  "claude-code": "Claude Code",
};
export const folder = "Ordner";
export const folderHint = (example: string): string => `Ein absoluter Pfad, zum Beispiel /home/ada/${example}.`;
export const examples: Readonly<Record<ImportKind, string>> = {
  openclaw: ".openclaw",
  hermes: ".hermes",
  "claude-code": ".claude",
};
export const receiver = "Agent, der den Import bekommt";
export const showPreview = "Vorschau anzeigen";
export const previewShown = (count: number): string => `${parts(count)} gefunden.`;
export const noAgent = "Dieses Haus hat noch keinen Agenten. Füge zuerst einen hinzu.";

// preview-section.tsx
export const preview = "Vorschau";
export const previewIntroduction = "Noch wurde nichts geändert. Wähle die Teile, die importiert werden sollen.";
export const nothingFound = "Der Ordner enthält nichts, was importiert werden kann. Prüfe das Programm und den Ordner.";
export const secretsRemoved = (count: number): string =>
  `Geheimnisse werden entfernt (${parts(count)}) und nicht importiert. Gib die Schlüssel, die der Agent braucht, unter „Web & Geheimnisse“, „Modelle“ oder „Kanäle“ ein.`;
export const importChosen = (count: number): string => `${parts(count)} importieren`;
export const importStarted = "Import begonnen.";
export const groups: Readonly<Record<GroupKind, string>> = {
  persona: "Persönlichkeit und Anweisungen",
  memory: "Gedächtnis",
  skills: "Skills",
  history: "Unterhaltungen und Verlauf",
  jobs: "Automatisierungen",
  channels: "Kanäle",
  same: "Schon vorhanden",
  left: "Ausgelassen",
};
export const groupTitle = (kind: GroupKind, count: number): string => `${groups[kind]}: ${parts(count)}`;
export const showGroup = (kind: GroupKind): string =>
  kind === "same"
    ? "Schon vorhandene Teile anzeigen"
    : kind === "left"
      ? "Ausgelassene Teile anzeigen"
      : `${groups[kind]} anzeigen`;
export const replacement = (from: string, to: string): string => `${from} → ${to}`;
export const replaces = "Ersetzt den jetzigen Text, der im Verlauf bleibt.";
export const withoutSecrets = "Ohne Geheimnisse.";

// report-section.tsx
export const running = (kind: ImportKind): string => `Import aus ${programs[kind]} läuft`;
export const progress = (done: number, total: number): string =>
  `${done} von ${total === 1 ? "1 Teil" : `${total} Teilen`}`;
export const report = "Letzter Import";
export const done = (count: number): string => `${parts(count)} importiert.`;
export const failed = "Der Import wurde vorzeitig beendet";
export const failedHint =
  "Importierte Teile bleiben erhalten. Zeige die Vorschau noch einmal an, um den Rest zu importieren.";
export const refused = (count: number): string => `Das Haus hat ${parts(count)} abgelehnt.`;
export const fates: Readonly<Record<ImportPart["fate"], string>> = {
  new: "Importiert",
  replaces: "Ersetzt",
  same: "Schon vorhanden",
  left: "Ausgelassen",
  failed: "Abgelehnt",
};
export const fateTitle = (fate: ImportPart["fate"], count: number): string => `${fates[fate]}: ${parts(count)}`;
export const viewAgent = "Agent anzeigen";

const parts = (count: number): string => (count === 1 ? "1 Teil" : `${count} Teile`);
