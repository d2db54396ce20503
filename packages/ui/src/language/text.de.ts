/** German texts that several folders share. */
import {
  type Label,
  type QueueMode,
  type SecurityFix,
  isTainted,
  showMoney as showMoneyInEnglish,
  showSize as showSizeInEnglish,
} from "@hearth/protocol";
import { type ToolWords, toolWords as toolWordsInEnglish } from "@hearth/protocol/tool-words";
import type { ToolName } from "@hearth/protocol/tools";

export const language: string = "de";

export const showMoney = (money: number): string => showMoneyInEnglish(money).replace(".", ",");
export const showSize = (bytes: number): string =>
  showSizeInEnglish(bytes)
    .replace(".", ",")
    .replace(/bytes?$/, "Byte");

export const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "Der aktuelle Lauf liest sie beim nächsten Schritt und beantwortet alles zusammen.",
  followup: "Jede Nachricht bekommt einen eigenen Lauf, einen nach dem anderen.",
  collect: "Nach dem aktuellen Lauf beantwortet ein Lauf alle zusammen.",
  interrupt: "Der aktuelle Lauf wird gestoppt, und ein neuer Lauf liest alle Nachrichten.",
};

export const describeFix = (fix: SecurityFix): string => {
  if (fix.kind === "command") return fix.command;
  const { section, key, line } = fix;
  return line === undefined
    ? `Entferne in hearth.toml „${key}“ aus [${section}] und starte Hearth neu.`
    : `Schreibe in hearth.toml unter [${section}]: ${line} – und starte Hearth neu.`;
};

/** Number of sources named in one line. */
const MAX_NAMED = 3;

export const describeSources = (label: Label | undefined): string | undefined => {
  if (label === undefined || !isTainted(label)) return undefined;
  const { sources } = label;
  const named = sources.slice(0, MAX_NAMED).join(", ");
  const more = sources.length > MAX_NAMED ? ` und ${sources.length - MAX_NAMED} weitere` : "";
  return `Beruht auf nicht vertrauenswürdigen Inhalten${named === "" ? "" : `: ${named}${more}`}`;
};

/** Words of each tool, while it runs and after that. The subject is the agent. */
const tools: { readonly [Name in ToolName]: readonly [string, string] } = {
  read: ["Liest", "Las"],
  write: ["Schreibt", "Schrieb"],
  edit: ["Ändert", "Änderte"],
  apply_patch: ["Ändert Dateien", "Änderte Dateien"],
  list: ["Listet Dateien auf", "Listete Dateien auf"],
  glob: ["Sucht Dateien", "Suchte Dateien"],
  grep: ["Sucht nach", "Suchte nach"],
  shell: ["Führt einen Befehl aus", "Führte einen Befehl aus"],
  processes: ["Prüft Befehle", "Prüfte Befehle"],
  git: ["Führt git aus", "Führte git aus"],
  image: ["Betrachtet", "Betrachtete"],
  image_generate: ["Erstellt ein Bild", "Erstellte ein Bild"],
  image_edit: ["Ändert das Bild", "Änderte das Bild"],
  hardware_info: ["Prüft die Hardware", "Prüfte die Hardware"],
  time: ["Prüft die Uhrzeit", "Prüfte die Uhrzeit"],
  house_query: ["Sucht Angaben zu", "Suchte Angaben zu"],
  http_fetch: ["Liest", "Las"],
  web_search: ["Sucht im Web nach", "Suchte im Web nach"],
  ask_source: ["Fragt", "Fragte"],
  send_message: ["Sendet eine Nachricht", "Sendete eine Nachricht"],
  attach: ["Teilt", "Teilte"],
  chart: ["Zeichnet ein Diagramm", "Zeichnete ein Diagramm"],
  send_to_agent: ["Sendet eine Nachricht", "Sendete eine Nachricht"],
  ask_agent: ["Fragt", "Fragte"],
  delegate: ["Delegiert Arbeit", "Delegierte Arbeit"],
  read_brain: ["Sieht nach in", "Sah nach in"],
  write_brain: ["Speichert", "Speicherte"],
  remember: ["Speichert", "Speicherte"],
  recall: ["Sucht im Gedächtnis nach", "Suchte im Gedächtnis nach"],
  forget: ["Vergisst", "Vergaß"],
  schedule_task: ["Plant", "Plante"],
  list_tasks: ["Listet geplante Aufgaben auf", "Listete geplante Aufgaben auf"],
  pause_task: ["Pausiert", "Pausierte"],
  resume_task: ["Reaktiviert", "Reaktivierte"],
  cancel_task: ["Storniert", "Stornierte"],
  find_tools: ["Sucht ein Werkzeug", "Suchte ein Werkzeug"],
};

export const toolWords = (name: string): ToolWords | undefined => {
  const words = toolWordsInEnglish(name);
  if (words === undefined) return undefined;
  const [doing, done] = tools[name as ToolName];
  return { ...words, doing, done };
};
