/**
 * Finds the lines of keys and tables in a TOML text. The text has already been parsed, so this only
 * has to find the ends of keys, strings, arrays and tables.
 */
import { parse } from "smol-toml";

export type Path = readonly (string | number)[];

/** A key with its value, or a table header. */
export interface Statement {
  readonly kind: "header" | "value";
  readonly path: Path;
  /** From 1. */
  readonly line: number;
  /** Offsets of the whole lines it covers, with the last line end. */
  readonly start: number;
  readonly end: number;
  /** Offsets of the value. A header has none. */
  readonly value?: { readonly start: number; readonly end: number };
}

export interface Lines {
  readonly statements: readonly Statement[];
  /** The line (from 1) of a path; for a table without a header, the line of its first key. */
  lineOf(path: Path): number | undefined;
}

export const scanLines = (text: string): Lines => {
  const statements: Statement[] = [];
  const written: Written[] = [];
  /** Counts of `[[path]]` headers. */
  const counts = new Map<string, number>();
  let table: Path = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;

  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found?.index === at) at += found[0].length;
  };
  const string = (): void => {
    const quote = text[at] ?? "";
    const triple = quote.repeat(3);
    const multiline = text.startsWith(triple, at);
    const end = multiline ? triple : quote;
    at += end.length;
    while (at < text.length && !text.startsWith(end, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
    at += end.length;
    // Up to two quotes may precede the closing three.
    if (multiline) while (text[at] === quote) at += 1;
  };
  const key = (): readonly string[] => {
    const start = at;
    while (at < text.length && !"=]".includes(text[at] ?? "")) {
      if (text[at] === '"' || text[at] === "'") string();
      else at += 1;
    }
    return keySegments(text.slice(start, at));
  };
  const pair = (base: Path): Required<Pick<Statement, "path" | "value">> => {
    const start = at;
    const path = [...base, ...key()];
    written.push({ path, at: start });
    at += 1; // the equals sign
    skip(BLANK);
    const valueStart = at;
    value(path);
    return { path, value: { start: valueStart, end: at } };
  };
  const value = (path: Path): void => {
    const first = text[at];
    if (first === '"' || first === "'") return string();
    if (first !== "[" && first !== "{") return skip(PLAIN);
    at += 1;
    for (let index = 0; ; index += 1) {
      skip(SEPARATORS);
      if (at >= text.length) return;
      if (text[at] === "]" || text[at] === "}") break;
      if (first === "{") pair(path);
      else {
        written.push({ path: [...path, index], at });
        value([...path, index]);
      }
    }
    at += 1;
  };
  const header = (): Path => {
    const isArray = text.startsWith("[[", at);
    const start = at;
    at += isArray ? 2 : 1;
    const names = key();
    at += isArray ? 2 : 1;
    table = [];
    for (const [index, name] of names.entries()) {
      const named = [...table, name];
      const id = JSON.stringify(named);
      if (isArray && index === names.length - 1) counts.set(id, (counts.get(id) ?? 0) + 1);
      const count = counts.get(id);
      table = count === undefined ? named : [...named, count - 1];
    }
    written.push({ path: table, at: start });
    return table;
  };

  const lineAt = createLineIndex(text);
  for (;;) {
    skip(SPACE);
    if (at >= text.length) break;
    const from = at;
    const isHeader = text[at] === "[";
    const read = isHeader ? { path: header() } : pair(table);
    const lineEnd = text.indexOf("\n", at);
    at = lineEnd === -1 ? text.length : lineEnd + 1;
    const start = text.lastIndexOf("\n", from) + 1;
    statements.push({ kind: isHeader ? "header" : "value", ...read, line: lineAt(from), start, end: at });
  }

  const lineOf = (path: Path): number | undefined => {
    const found = findWritten(written, path);
    return found === undefined ? undefined : lineAt(found.at);
  };
  return { statements, lineOf };
};

/** A key, a header or an element of a list, and its offset. */
interface Written {
  readonly path: Path;
  readonly at: number;
}

/** The entry with this path, or the first one below it. */
const findWritten = (written: readonly Written[], path: Path): Written | undefined =>
  written.find((entry) => entry.path.length === path.length && isWithin(path, entry.path)) ??
  written.find((entry) => isWithin(path, entry.path));

/** Whether `path` is `outer` or below it. */
export const isWithin = (outer: Path, path: Path): boolean =>
  outer.length <= path.length && outer.every((segment, index) => segment === path[index]);

/** `providers."my key".api_key`, as TOML writes it. */
export const showPath = (path: Path): string =>
  path.map((segment) => (/^[A-Za-z0-9_-]+$/.test(String(segment)) ? segment : JSON.stringify(segment))).join(".");

const BLANK = /[ \t]*/y;
/** Between statements: blanks, line ends, comments. */
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
/** Between the elements of an array or an inline table. */
const SEPARATORS = /(?:[ \t\r\n,]|#[^\n]*)*/y;
/** A number, a boolean or a date. A space may separate a date and its time. */
const PLAIN = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]*/y;

/** `a."b c"` → `a`, `b c`, with the parser's own handling of escapes. */
const keySegments = (key: string): readonly string[] => {
  const segments: string[] = [];
  let rest: unknown = parse(`${key} = 0`);
  while (typeof rest === "object" && rest !== null) {
    const [entry] = Object.entries(rest);
    if (entry === undefined) break;
    segments.push(entry[0]);
    rest = entry[1];
  }
  return segments;
};

/** Maps an offset to its line by binary search. */
const createLineIndex = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
};
