/** Which files a command may mean. Where it runs is not known, so a name counts in every folder; rather one too many than one too few. */
import { findTool, type ToolDeclaration, type ToolTable } from "@hearth/protocol/tools";
import type { Asking } from "./approval-what.ts";

/** What a command is written with around names. */
const AROUND = /['"\\]/g;
const PATTERN = /[*?[]/;

/** The words of a call that runs programs in the agent's cell; `undefined` for any other call. */
export const commandOf = (effect: Asking, table: ToolTable): string | undefined => {
  if (effect.kind !== "tool") return undefined;
  const tool = findTool(table, effect.call.name);
  if (tool === undefined || !runsPrograms(tool)) return undefined;
  return textsIn(effect.call.input).join("\n");
};

/** By the file's name, with or without what follows its last dot: `python -m report` is `report.py`. Of a pattern by what it may stand for. */
export const namesFile = (command: string): ((path: string) => boolean) => {
  const text = command.replace(AROUND, "");
  const patterns = text
    .split(/[\s;|&<>(){}=,/]+/)
    .filter((word) => PATTERN.test(word))
    .map(toPattern);
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = name.replace(/(.)\.[^.]*$/, "$1");
    return text.includes(stem) || patterns.some((pattern) => pattern.test(name));
  };
};

const runsPrograms = ({ runs, traits }: ToolDeclaration): boolean => runs === "cell" && traits.acts;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** What stands in brackets is any one character. */
const toPattern = (word: string): RegExp => {
  const source = word
    .replace(/\[[^\]]*\]?/g, "?")
    .replace(/[.+^$()|{}\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s");
};
