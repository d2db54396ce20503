/**
 * Adds and removes a table in the text of a config, and leaves every other byte unchanged. Each
 * edit is verified by parsing the result.
 */
import { HearthError } from "@hearth/protocol";
import { stringify } from "smol-toml";
import { isWithin, type Path, scanLines, showPath, type Statement } from "./lines.ts";
import { parseToml, type TomlTable } from "./toml.ts";

export type TomlValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Returns the text with `[path]` and its values appended. Throws `config.invalid` if the path
 * exists or cannot be added.
 */
export const appendTable = (text: string, path: readonly string[], values: TomlValues, file: string): string => {
  const oldTable = parseToml(text, file);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const newLines = stringify(nestValues(path, values)).trimEnd().split("\n");
  const separator = text === "" ? "" : text.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  const newText = text + separator + newLines.join(lineEnd) + lineEnd;
  const line = scanLines(text).lineOf(path);
  if (line !== undefined) {
    throw new HearthError("config.invalid", `${showPath(path)} is already in ${file} line ${line}.`, {
      hint: "Change it there, or remove it first.",
    });
  }
  verify(newText, insert(oldTable, path, values), file, `[${showPath(path)}] cannot be added to ${file}`);
  return newText;
};

/**
 * Returns the text without `[path]` and the tables below it, or the same text if the table is
 * missing. Keeps comments.
 */
export const removeTable = (text: string, path: readonly string[], file: string): string => {
  const oldTable = parseToml(text, file);
  const removedStatements = scanLines(text).statements.filter((statement) => isWithin(path, statement.path));
  let newText = "";
  let copiedUntil = 0;
  for (const statement of removedStatements) {
    const between = text.slice(copiedUntil, statement.start);
    // Removes the blank line before the table's header too.
    newText += statement.kind === "header" ? between.replace(/(^|\n)\r?\n$/, "$1") : between;
    copiedUntil = statement.end;
  }
  newText += text.slice(copiedUntil);
  verify(newText, clearTable(oldTable, path), file, `[${showPath(path)}] cannot be removed from ${file}`);
  return newText;
};

/**
 * Returns the text in which `[path]` has exactly these values. Keeps comments and the place of a
 * table with its own header. A table in braces or with dots becomes one with a header at the end.
 */
export const putTable = (text: string, path: readonly string[], values: TomlValues, file: string): string => {
  const { statements } = scanLines(text);
  if (!statements.some((statement) => statement.kind === "header" && isSamePath(statement.path, path)))
    return appendTable(removeTable(text, path, file), path, values, file);
  const existingKeys = statements.flatMap(({ kind, path: statementPath }) =>
    kind === "value" && statementPath.length > path.length && isWithin(path, statementPath)
      ? [String(statementPath[path.length])]
      : [],
  );
  const keys = new Set([...existingKeys, ...Object.keys(values)]);
  return [...keys].reduce((editedText, key) => setValue(editedText, [path, key], values[key], file), text);
};

export type TomlValue = TomlValues[string];

/**
 * Returns the text with this value of `key` in `[table]`. An undefined value removes the key. Keeps
 * comments and the order of lines. Throws `config.invalid` if only a person can make this edit.
 */
export const setValue = (
  text: string,
  [table, key]: readonly [table: readonly string[], key: string],
  value: TomlValue | undefined,
  file: string,
): string => {
  const oldTable = parseToml(text, file);
  const path = [...table, key];
  const { statements, lineOf } = scanLines(text);
  const currentValue = statements.find((statement) => statement.kind === "value" && isSamePath(statement.path, path));
  const failure = `${showPath(path)} cannot be changed in ${file}`;
  if (value === undefined) {
    const newText =
      currentValue === undefined ? text : text.slice(0, currentValue.start) + text.slice(currentValue.end);
    verify(newText, removeKey(oldTable, path), file, failure);
    return newText;
  }
  const header = statements.findIndex((statement) => statement.kind === "header" && isSamePath(statement.path, table));
  if (currentValue?.value === undefined && header === -1) {
    if (lineOf(table) !== undefined) throw manualEditError(failure, file);
    return appendTable(text, table, { [key]: value }, file);
  }
  const newText =
    currentValue?.value === undefined
      ? insertLine(text, endOfTable(statements, header), stringify({ [key]: value }).trimEnd())
      : text.slice(0, currentValue.value.start) + showValue(value) + text.slice(currentValue.value.end);
  verify(newText, insert(oldTable, table, { [key]: value }), file, failure);
  return newText;
};

const isSamePath = (a: Path, b: Path): boolean => a.length === b.length && isWithin(a, b);

const showValue = (value: TomlValue): string => stringify({ v: value }).slice("v = ".length).trimEnd();

/** Returns the offset after the last line of a table, before the comments that follow it. */
const endOfTable = (statements: readonly Statement[], header: number): number => {
  let lastIndex = header;
  while (statements[lastIndex + 1]?.kind === "value") lastIndex += 1;
  return statements[lastIndex]?.end ?? 0;
};

const insertLine = (text: string, position: number, line: string): string => {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const separator = position === 0 || text[position - 1] === "\n" ? "" : lineEnd;
  return text.slice(0, position) + separator + line + lineEnd + text.slice(position);
};

/** Checks that an edit made exactly the expected change. */
const verify = (newText: string, expectedTable: TomlTable, file: string, failure: string): void => {
  let parsed: TomlTable | undefined;
  let cause: unknown;
  try {
    parsed = parseToml(newText, file);
  } catch (error) {
    cause = error;
  }
  if (parsed !== undefined && toCanonical(parsed) === toCanonical(expectedTable)) return;
  throw manualEditError(failure, file, cause);
};

const manualEditError = (failure: string, file: string, cause?: unknown): HearthError =>
  new HearthError("config.invalid", `${failure} without changing other parts of the file.`, {
    hint: `Edit ${file} by hand: a table around it is written in braces or with dots.`,
    cause,
  });

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/**
 * Returns a form that ignores empty tables, because the removal of the last provider may leave
 * `[providers]` behind.
 */
const toCanonical = (table: TomlTable): string =>
  JSON.stringify(table, (_key, value: unknown) => {
    if (!isTable(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => !isEmpty(inner))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

const isEmpty = (value: unknown): boolean => isTable(value) && Object.values(value).every(isEmpty);

const nestValues = ([key, ...rest]: readonly string[], values: TomlValues): TomlTable =>
  key === undefined ? values : { [key]: nestValues(rest, values) };

const insert = (table: TomlTable, [key, ...rest]: readonly string[], values: TomlValues): TomlTable => {
  if (key === undefined) return { ...table, ...values };
  const inner = table[key];
  return { ...table, [key]: insert(isTable(inner) ? inner : {}, rest, values) };
};

const removeKey = (table: TomlTable, [key = "", ...rest]: readonly string[]): TomlTable => {
  const inner = table[key];
  if (rest.length > 0) return isTable(inner) ? { ...table, [key]: removeKey(inner, rest) } : table;
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
};

/** Removes a value. A table becomes empty, because its header may stay. */
const clearTable = (table: TomlTable, [key, ...rest]: readonly string[]): TomlTable => {
  if (key === undefined) return {};
  const inner = table[key];
  return isTable(inner) ? { ...table, [key]: clearTable(inner, rest) } : table;
};
