/**
 * Finds the files that a command may use: those that it names, and those that programs read
 * automatically. The folder in which the command runs is unknown, so a name counts in every folder.
 * A false match is safer than a missed one.
 */
import { findTool, type ToolDeclaration, type ToolTable } from "@hearth/protocol/tools";
import type { ApprovableEffect } from "../approvals/frozen-call.ts";

/** Matches quotes and escapes around names. */
const QUOTES_AND_ESCAPES = /['"\\]/g;
const WILDCARD = /[*?[]/;

/**
 * Matches files from which `make`, package managers, test runners, build tools and git take
 * commands. Any command may start one of these programs, so these files count for every command.
 */
const COMMAND_FILES = new RegExp(
  `^(?:${[
    "(?:gnu|bsd)?makefile(?:\\..+)?|.+\\.ma?k|justfile|\\.justfile|taskfile\\.ya?ml|rakefile|gemfile|procfile",
    "package\\.json|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmfile\\.c?js|bunfig\\.toml|deno\\.jsonc?|.+\\.config\\.[cm]?[jt]s|\\..+rc\\.[cm]?js",
    "conftest\\.py|setup\\.(?:py|cfg)|pyproject\\.toml|(?:tox|pytest)\\.ini|noxfile\\.py|(?:site|user)customize\\.py|.+\\.pth|__main__\\.py",
    "cargo\\.toml|build\\.rs|build\\.zig|go\\.(?:mod|work)|pom\\.xml|build\\.xml|.+\\.gradle(?:\\.kts)?|gradlew|mvnw|cmakelists\\.txt|.+\\.cmake|meson\\.build|configure",
    "(?:docker|container)file(?:\\..+)?|(?:docker-)?compose\\.ya?ml|vagrantfile|\\.pre-commit-config\\.yaml|\\.gitattributes|\\.gitmodules|\\.envrc|\\.gdbinit",
  ].join("|")})$`,
  "i",
);
/** Matches files that programs read because of their folder. */
const HOOKS = /(?:^|\/)(?:\.git\/(?:hooks\/.+|config(?:\.worktree)?)|\.husky\/.+|\.cargo\/config(?:\.toml)?)$/;

const isCommandFile = (path: string, name: string): boolean => COMMAND_FILES.test(name) || HOOKS.test(path);

/**
 * Returns the text of a call that runs programs in the agent's cell, or undefined for any other
 * call.
 */
export const commandOf = (effect: ApprovableEffect, table: ToolTable): string | undefined => {
  if (effect.kind !== "tool") return undefined;
  const tool = findTool(table, effect.call.name);
  if (tool === undefined || !runsPrograms(tool)) return undefined;
  return textsIn(effect.call.input).join("\n");
};

/**
 * Returns a function from a path to whether the command names the file. It compares the file's name
 * with and without its extension, because `python -m report` runs `report.py`. A pattern matches
 * all names to which a shell may expand it.
 */
export const namesFile = (command: string): ((path: string) => boolean) => {
  const text = command.replace(QUOTES_AND_ESCAPES, "");
  const patterns = text
    .split(/[\s;|&<>(){}=,/]+/)
    .filter((word) => WILDCARD.test(word))
    .map(toPattern);
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = name.replace(/(.)\.[^.]*$/, "$1");
    return text.includes(stem) || patterns.some((pattern) => pattern.test(name)) || isCommandFile(path, name);
  };
};

const runsPrograms = ({ runs, traits }: ToolDeclaration): boolean => runs === "cell" && traits.acts;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Converts a pattern of a shell. A bracket expression matches any one character. */
const toPattern = (word: string): RegExp => {
  const source = word
    .replace(/\[[^\]]*\]?/g, "?")
    .replace(/[.+^$()|{}\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s");
};
