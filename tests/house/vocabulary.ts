/** Checks the names of files and of exports against the words that the project does not use. */
import type { SourceFile } from "./source.ts";

/** Words that say nothing, or that the house says otherwise. */
const FORBIDDEN = new Set(["service", "manager", "helper", "util", "connector", "gateway", "action", "task"]);

/** Names of tools that models know by these words from elsewhere: they are said so there, and nothing else is. */
const TOOLS = new Set(["schedule-task", "list-tasks", "pause-task", "resume-task", "cancel-task"]);

/** What is wrong with a path, as a sentence, or nothing. */
export const judgePath = (path: string): string | undefined => {
  const odd = path.split("/").find((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(name));
  if (odd !== undefined) return `${path}: ${odd} is not kebab-case`;
  const word = path
    .split("/")
    .map(forbiddenWord)
    .find((found) => found !== undefined);
  return word === undefined ? undefined : `${path}: the house does not say "${word}"`;
};

export const judgeExports = (file: SourceFile): readonly string[] =>
  file.exports.flatMap(({ name, line }) => {
    const word = forbiddenWord(name);
    return word === undefined ? [] : [`${file.path}:${line} exports ${name}: the house does not say "${word}"`];
  });

/** `create-task.ts`, `createTasks`, `CREATE_TASK` → `task`; `transaction`, and a tool's very name, → nothing. */
const forbiddenWord = (name: string): string | undefined => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (TOOLS.has(words.join("-").replace(/-ts$/, ""))) return undefined;
  return words.map((word) => word.replace(/s$/, "")).find((word) => FORBIDDEN.has(word));
};
