/** Checks the names of files and exports for forbidden words. */
import type { SourceFile } from "./source.ts";

/** Words that say nothing, or for which the glossary has another term. */
const FORBIDDEN = new Set(["service", "manager", "helper", "util", "connector", "gateway", "action", "task"]);

/** Names of tools that models know from other systems. Only these names may contain the words. */
const TOOLS = new Set(["schedule-task", "list-tasks", "pause-task", "resume-task", "cancel-task"]);

/** Describes the problem of a path, or returns `undefined`. */
export const judgePath = (path: string): string | undefined => {
  const odd = path.split("/").find((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(name));
  if (odd !== undefined) return `${path}: ${odd} is not kebab-case`;
  const word = path
    .split("/")
    .map(forbiddenWord)
    .find((found) => found !== undefined);
  return word === undefined ? undefined : `${path}: "${word}" is a forbidden word (tests/house/vocabulary.ts)`;
};

export const judgeExports = (file: SourceFile): readonly string[] =>
  file.exports.flatMap(({ name, line }) => {
    const word = forbiddenWord(name);
    return word === undefined
      ? []
      : [`${file.path}:${line} exports ${name}: "${word}" is a forbidden word (tests/house/vocabulary.ts)`];
  });

/**
 * `create-task.ts`, `createTasks`, `CREATE_TASK` → `task`; `transaction` and a tool's exact name →
 * `undefined`.
 */
const forbiddenWord = (name: string): string | undefined => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (TOOLS.has(words.join("-").replace(/-ts$/, ""))) return undefined;
  return words.map((word) => word.replace(/s$/, "")).find((word) => FORBIDDEN.has(word));
};
