/** German texts that several folders share. */
import {
  type Label,
  type QueueMode,
  type SecurityFix,
  isTainted,
  showMoney as showMoneyInEnglish,
  showSize as showSizeInEnglish,
} from "@hearth/protocol";
import type { CallWords } from "@hearth/protocol/tool-words";
import { callWords } from "@hearth/protocol/tool-words" with { type: "macro" };
import { germanCallWords } from "./tools.de.ts" with { type: "macro" };

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
  const shownNames = sources.slice(0, MAX_NAMED).join(", ");
  const more = sources.length > MAX_NAMED ? ` und ${sources.length - MAX_NAMED} weitere` : "";
  return `Beruht auf nicht vertrauenswürdigen Inhalten${shownNames === "" ? "" : `: ${shownNames}${more}`}`;
};

const words = new Map(Object.entries(callWords()));
const german = new Map(Object.entries(germanCallWords()));

export const toolWords = (name: string): CallWords | undefined => {
  const inEnglish = words.get(name);
  return inEnglish === undefined ? undefined : { ...inEnglish, ...german.get(name) };
};
