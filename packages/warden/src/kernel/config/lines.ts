/**
 * Finds the lines of keys and tables in a TOML text. A parser has already accepted the text, so
 * this module only finds the ends of keys, strings, arrays and tables.
 */
import { parse } from "smol-toml";

export type Path = readonly (string | number)[];

/** A key with its value, or a table header. */
export interface Statement {
  readonly kind: "header" | "value";
  readonly path: Path;
  /** The line, from 1. */
  readonly line: number;
  /** Offsets of the whole lines of the statement, with the last line end. */
  readonly start: number;
  readonly end: number;
  /** Offsets of the value. A header has no value. */
  readonly value?: { readonly start: number; readonly end: number };
}

export interface Lines {
  readonly statements: readonly Statement[];
  /**
   * Returns the line (from 1) of a path. For a table without a header, this is the line of its
   * first key.
   */
  lineOf(path: Path): number | undefined;
}

export const scanLines = (text: string): Lines => {
  const cursor = createCursor(text);
  const values = createValues(cursor);
  const tables = createTablePaths();
  const lineAt = createLineIndex(text);
  const statements: Statement[] = [];
  let table: Path = [];

  const readHeader = (): Path => {
    const start = cursor.offset();
    const isArray = cursor.startsWith("[[");
    cursor.advance(isArray ? 2 : 1);
    const names = cursor.key();
    cursor.advance(isArray ? 2 : 1);
    table = tables.open(names, isArray);
    values.positions.push({ path: table, offset: start });
    return table;
  };

  for (;;) {
    cursor.skip(SPACE);
    if (cursor.isAtEnd()) break;
    const from = cursor.offset();
    const isHeader = cursor.startsWith("[");
    const statementParts = isHeader ? { path: readHeader() } : values.readPair(table);
    cursor.skip(REST_OF_LINE);
    const start = text.lastIndexOf("\n", from) + 1;
    statements.push({
      kind: isHeader ? "header" : "value",
      ...statementParts,
      line: lineAt(from),
      start,
      end: cursor.offset(),
    });
  }

  const lineOf = (path: Path): number | undefined => {
    const position = findPosition(values.positions, path);
    return position === undefined ? undefined : lineAt(position.offset);
  };
  return { statements, lineOf };
};

/** Reads forward in a text: patterns, strings and keys. */
interface Cursor {
  readonly offset: () => number;
  readonly isAtEnd: () => boolean;
  startsWith(part: string): boolean;
  advance(length: number): void;
  /** Skips the text that the sticky pattern matches here, if it does. */
  skip(pattern: RegExp): void;
  /** Skips a string of any kind. */
  string(): void;
  /** Skips a key up to its equals sign or bracket, and returns its segments. */
  key(): readonly string[];
}

const createCursor = (text: string): Cursor => {
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  const string = (): void => {
    const quote = text[offset] ?? "";
    const triple = quote.repeat(3);
    const isMultiline = text.startsWith(triple, offset);
    const end = isMultiline ? triple : quote;
    offset += end.length;
    while (offset < text.length && !text.startsWith(end, offset))
      offset += quote === '"' && text[offset] === "\\" ? 2 : 1;
    offset += end.length;
    // Up to two quotes may precede the closing three.
    if (isMultiline) while (text[offset] === quote) offset += 1;
  };
  return {
    offset: () => offset,
    isAtEnd: () => offset >= text.length,
    startsWith: (part) => text.startsWith(part, offset),
    advance(length) {
      offset += length;
    },
    skip(pattern) {
      pattern.lastIndex = offset;
      const match = pattern.exec(text);
      if (match?.index === offset) offset += match[0].length;
    },
    string,
    key() {
      const start = offset;
      while (offset < text.length && !"=]".includes(text[offset] ?? "")) {
        if (text[offset] === '"' || text[offset] === "'") string();
        else offset += 1;
      }
      return splitKey(text.slice(start, offset));
    },
  };
};

/** Reads values, and records where each key and each element of a list is written. */
const createValues = (cursor: Cursor) => {
  const positions: KeyPosition[] = [];
  const readPair = (base: Path): Required<Pick<Statement, "path" | "value">> => {
    const start = cursor.offset();
    const path = [...base, ...cursor.key()];
    positions.push({ path, offset: start });
    cursor.advance(1); // the equals sign
    cursor.skip(BLANK);
    const valueStart = cursor.offset();
    value(path);
    return { path, value: { start: valueStart, end: cursor.offset() } };
  };
  const value = (path: Path): void => {
    if (cursor.startsWith('"') || cursor.startsWith("'")) return cursor.string();
    const isTable = cursor.startsWith("{");
    if (!isTable && !cursor.startsWith("[")) return cursor.skip(PLAIN);
    cursor.advance(1);
    for (let index = 0; ; index += 1) {
      cursor.skip(SEPARATORS);
      if (cursor.isAtEnd()) return;
      if (cursor.startsWith("]") || cursor.startsWith("}")) break;
      if (isTable) readPair(path);
      else {
        positions.push({ path: [...path, index], offset: cursor.offset() });
        value([...path, index]);
      }
    }
    cursor.advance(1);
  };
  return { positions, readPair };
};

/** Returns the paths of tables. Those of `[[path]]` headers are numbered from 0. */
const createTablePaths = () => {
  const counts = new Map<string, number>();
  return {
    open(names: readonly string[], isArray: boolean): Path {
      let table: Path = [];
      for (const [index, name] of names.entries()) {
        const tableAndName = [...table, name];
        const id = JSON.stringify(tableAndName);
        if (isArray && index === names.length - 1) counts.set(id, (counts.get(id) ?? 0) + 1);
        const count = counts.get(id);
        table = count === undefined ? tableAndName : [...tableAndName, count - 1];
      }
      return table;
    },
  };
};

/** A key, a header or an element of a list, with its offset. */
interface KeyPosition {
  readonly path: Path;
  readonly offset: number;
}

/** Returns the entry with this path, or the first one below it. */
const findPosition = (positions: readonly KeyPosition[], path: Path): KeyPosition | undefined =>
  positions.find((entry) => entry.path.length === path.length && isWithin(path, entry.path)) ??
  positions.find((entry) => isWithin(path, entry.path));

/** Whether `path` is `outer` or below it. */
export const isWithin = (outer: Path, path: Path): boolean =>
  outer.length <= path.length && outer.every((segment, index) => segment === path[index]);

/** Formats a path as TOML writes it: `providers."my key".api_key`. */
export const showPath = (path: Path): string =>
  path.map((segment) => (/^[A-Za-z0-9_-]+$/.test(String(segment)) ? segment : JSON.stringify(segment))).join(".");

const BLANK = /[ \t]*/y;
/** Matches the text between statements: blanks, line ends, comments. */
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
/** Matches the rest of the line and its line end. */
const REST_OF_LINE = /[^\n]*\n?/y;
/** Matches the text between the elements of an array or an inline table. */
const SEPARATORS = /(?:[ \t\r\n,]|#[^\n]*)*/y;
/** Matches a number, a boolean or a date. A space may separate a date and its time. */
const PLAIN = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]*/y;

/** Splits a key: `a."b c"` → `a`, `b c`. The parser handles the escapes. */
const splitKey = (key: string): readonly string[] => {
  const segments: string[] = [];
  let remainingValue: unknown = parse(`${key} = 0`);
  while (typeof remainingValue === "object" && remainingValue !== null) {
    const [entry] = Object.entries(remainingValue);
    if (entry === undefined) break;
    segments.push(entry[0]);
    remainingValue = entry[1];
  }
  return segments;
};

/** Maps an offset to its line by binary search. */
const createLineIndex = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (let lineEnd = text.indexOf("\n"); lineEnd !== -1; lineEnd = text.indexOf("\n", lineEnd + 1))
    starts.push(lineEnd + 1);
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
