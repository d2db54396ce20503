/**
 * Parses `hearth.toml` to a config. If it is invalid, throws with the problem, its line and an
 * instruction. Pure.
 */
import { HearthError } from "@hearth/protocol";
import type { z } from "zod";
import { isWithin, type Path, scanLines, showPath } from "./lines.ts";
import { nearest } from "@hearth/protocol/nearest";
import { type Config, CONFIG_VERSION, ConfigText, GUARDED_PATHS, keysAt, toConfig } from "./schema.ts";
import { parseToml, type TomlTable } from "./toml.ts";

export interface ParsedConfig {
  readonly config: Config;
  /** Messages about ignored settings. */
  readonly warnings: readonly string[];
  /** The file as it is written, without defaults. */
  readonly fileTable: TomlTable;
  /** Returns the line (from 1) of a path, spelled as in the file: `["agents", "main", "model"]`. */
  lineOf(path: Path): number | undefined;
}

/** Options for a schema that parses once, because compiling the schema would cost more. */
const PARSE_ONCE = { jitless: true } as const;

/**
 * Parses the text. `file` is the name in messages. `remedy` is the error's hint, unless the wrong
 * value has its own. Throws `config.invalid`.
 */
export const parseConfig = (text: string, file: string, remedy = `Correct ${file}.`): ParsedConfig => {
  const table = parseToml(text, file);
  const { lineOf } = scanLines(text);
  const describePlace = (path: Path): string => {
    const line = lineNear(lineOf, path);
    return line === undefined ? file : `${file} line ${line}`;
  };

  const version = table["version"];
  if (typeof version === "number" && Number.isInteger(version) && version > CONFIG_VERSION) {
    throw new HearthError(
      "config.invalid",
      `the file has version ${version}, which a newer Hearth wrote; ${describePlace(["version"])}`,
      {
        hint: `This version of Hearth reads version ${CONFIG_VERSION}: upgrade Hearth, or restore the backup beside the file.`,
      },
    );
  }

  const firstParse = ConfigText.safeParse(table, PARSE_ONCE);
  if (firstParse.success) return { config: toConfig(firstParse.data), warnings: [], fileTable: table, lineOf };

  const findLineNumber = ({ path }: ConfigProblem): number => lineNear(lineOf, path) ?? 0;
  const unknownKeys = firstParse.error.issues
    .flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => describeUnknown([...toPath(issue.path), key])) : [],
    )
    .sort((a, b) => findLineNumber(a) - findLineNumber(b));
  const knownTable = unknownKeys.reduce(
    (remainingTable, { path }) => withoutPath(remainingTable, path),
    table as object,
  );
  // Checks between the keys of a table run only if all its keys are known.
  const secondParse = ConfigText.safeParse(knownTable, PARSE_ONCE);
  const invalidValues = (secondParse.error?.issues ?? []).map((issue) => describeIssue(issue, table));
  const refusals: readonly ConfigProblem[] = [...invalidValues, ...unknownKeys.filter((remark) => remark.isFatal)];
  if (refusals.length > 0 || secondParse.data === undefined) {
    const lines = refusals.map((refusal) => `${describeProblem(refusal)}; ${describePlace(refusal.path)}`);
    const hints = [...new Set(refusals.flatMap((refusal) => (refusal.hint === undefined ? [] : [refusal.hint])))];
    throw new HearthError("config.invalid", lines.join("\n"), {
      hint: hints.join(" ") || remedy,
    });
  }
  return {
    config: toConfig(secondParse.data),
    warnings: unknownKeys.map(
      (remark) => `${describeProblem(remark)}, so it is ignored; ${describePlace(remark.path)}. ${remark.hint}`,
    ),
    fileTable: table,
    lineOf,
  };
};

interface ConfigProblem {
  readonly path: Path;
  /** Says what is wrong, as a phrase that follows the path: "must be …". */
  readonly problem: string;
  readonly hint?: string;
}

const describeProblem = ({ path, problem }: ConfigProblem): string => `${showPath(path)} ${problem}`;

const describeUnknown = (path: Path): ConfigProblem & { readonly hint: string; readonly isFatal: boolean } => {
  const parent = path.slice(0, -1);
  const knownKeys = keysAt(parent);
  const suggestion = nearest(String(path.at(-1)), knownKeys);
  const hint = suggestion === undefined ? `Known here: ${knownKeys.join(", ")}.` : `Did you mean "${suggestion}"?`;
  return { path, problem: "is an unknown key", hint, isFatal: isGuarded(parent, suggestion) };
};

/**
 * Whether an unknown key under `parent`, or the known key `suggestion` that it resembles, could
 * weaken security or durability.
 */
const isGuarded = (parent: Path, suggestion: string | undefined): boolean =>
  GUARDED_PATHS.some((guarded) => {
    const pattern = parent.map((segment, index) => (guarded[index] === "*" ? "*" : segment));
    return isWithin(guarded, pattern) || (suggestion !== undefined && isWithin([...pattern, suggestion], guarded));
  });

const describeIssue = (issue: z.core.$ZodIssue, table: object): ConfigProblem => {
  // If the name of a table is invalid, the cause is one level down.
  const cause = issue.code === "invalid_key" ? (issue.issues[0] ?? issue) : issue;
  const hint: unknown = cause.code === "custom" ? cause.params?.["hint"] : undefined;
  const path = toPath(issue.path);
  const problem = `${hasPath(table, path) ? "" : "is missing: it "}${describeCause(cause)}`;
  return { path, problem, ...(typeof hint === "string" ? { hint } : {}) };
};

const describeCause = (issue: z.core.$ZodIssue): string => {
  if (!issue.message.startsWith("Invalid ") && !issue.message.startsWith("Too ")) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_big":
      return `must have at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "entries"}`;
    default:
      return `is invalid: ${issue.message}`;
  }
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string in quotes",
  number: "a number",
  int: "a whole number",
  array: "a list in brackets",
  object: "a table",
  record: "a table",
};

const toPath = (path: readonly PropertyKey[]): Path =>
  path.map((segment) => (typeof segment === "number" ? segment : String(segment)));

/** Returns the line of the path, or of its nearest existing parent. */
const lineNear = (lineOf: (path: Path) => number | undefined, path: Path): number | undefined =>
  path.length === 0 ? undefined : (lineOf(path) ?? lineNear(lineOf, path.slice(0, -1)));

const hasPath = (value: unknown, [key, ...rest]: Path): boolean =>
  key === undefined ||
  (typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key) &&
    hasPath((value as Record<string | number, unknown>)[key], rest));

const withoutPath = (value: object, [key, ...rest]: Path): object => {
  if (key === undefined) return value;
  const entries = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(
    entries.flatMap(([name, child]) => {
      if (name !== String(key)) return [[name, child]];
      return rest.length === 0 || typeof child !== "object" || child === null ? [] : [[name, withoutPath(child, rest)]];
    }),
  );
};
