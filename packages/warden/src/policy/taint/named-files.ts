/**
 * Finds the files that a command may use: those it names, and those that programs read
 * automatically. The folder of the command is unknown, so a name counts in every folder. A false
 * match is safer than a missed one.
 */
import { findTool, type ToolDeclaration, type ToolTable } from "@hearth/protocol/tools";
import type { Asking } from "../approvals/approval-what.ts";

/** Quotes and escapes around names. */
const AROUND = /['"\\]/g;
const PATTERN = /[*?[]/;

/**
 * Files from which `make`, package managers, test runners, build tools and git take commands. Any
 * command may start one of these programs, so they count for every command.
 */
const OBEYED = new RegExp(
  `^(?:${[
    "(?:gnu|bsd)?makefile(?:\\..+)?|.+\\.ma?k|justfile|\\.justfile|taskfile\\.ya?ml|rakefile|gemfile|procfile",
    "package\\.json|\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmfile\\.c?js|bunfig\\.toml|deno\\.jsonc?|.+\\.config\\.[cm]?[jt]s|\\..+rc\\.[cm]?js",
    "conftest\\.py|setup\\.(?:py|cfg)|pyproject\\.toml|(?:tox|pytest)\\.ini|noxfile\\.py|(?:site|user)customize\\.py|.+\\.pth|__main__\\.py",
    "cargo\\.toml|build\\.rs|build\\.zig|go\\.(?:mod|work)|pom\\.xml|build\\.xml|.+\\.gradle(?:\\.kts)?|gradlew|mvnw|cmakelists\\.txt|.+\\.cmake|meson\\.build|configure",
    "(?:docker|container)file(?:\\..+)?|(?:docker-)?compose\\.ya?ml|vagrantfile|\\.pre-commit-config\\.yaml|\\.gitattributes|\\.gitmodules|\\.envrc|\\.gdbinit",
  ].join("|")})$`,
  "i",
);
/** Files that are read because of their folder. */
const HOOKS = /(?:^|\/)(?:\.git\/(?:hooks\/.+|config(?:\.worktree)?)|\.husky\/.+|\.cargo\/config(?:\.toml)?)$/;

const isObeyed = (path: string, name: string): boolean => OBEYED.test(name) || HOOKS.test(path);

/** The text of a call that runs programs in the agent's cell; undefined for any other call. */
export const commandOf = (effect: Asking, table: ToolTable): string | undefined => {
  if (effect.kind !== "tool") return undefined;
  const tool = findTool(table, effect.call.name);
  if (tool === undefined || !runsPrograms(tool)) return undefined;
  return textsIn(effect.call.input).join("\n");
};

/**
 * Matches by the file's name, with or without its extension: `python -m report` runs `report.py`.
 * Patterns match what they may expand to.
 */
export const namesFile = (command: string): ((path: string) => boolean) => {
  const text = command.replace(AROUND, "");
  const patterns = text
    .split(/[\s;|&<>(){}=,/]+/)
    .filter((word) => PATTERN.test(word))
    .map(toPattern);
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = name.replace(/(.)\.[^.]*$/, "$1");
    return text.includes(stem) || patterns.some((pattern) => pattern.test(name)) || isObeyed(path, name);
  };
};

const runsPrograms = ({ runs, traits }: ToolDeclaration): boolean => runs === "cell" && traits.acts;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Treats a bracket expression as any one character. */
const toPattern = (word: string): RegExp => {
  const source = word
    .replace(/\[[^\]]*\]?/g, "?")
    .replace(/[.+^$()|{}\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "s");
};
