/** Converts separated values to a table. Quotes follow RFC 4180. */
import { LIMITS } from "../limits.ts";
import { toTable } from "../markdown.ts";

/** The number of lines that are read to find the separator, and the number of rows in one table. */
const PROBED_LINES = 10;
const MAX_ROWS = 50_000;

/** Finds the separator with which each of the first lines has the same number of fields, at least two. */
export const findSeparator = (text: string): string | undefined => {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .slice(0, PROBED_LINES + 1);
  if (lines.length > 1) lines.pop();
  const filled = lines.filter((line) => line !== "");
  if (filled.length < 2) return undefined;
  return ["\t", ",", ";"].find((separator) => {
    const widths = filled.map((line) => [...fields(line, separator)][0]?.length ?? 0);
    return (widths[0] ?? 0) >= 2 && widths.every((width) => width === widths[0]);
  });
};

export function* readCsv(text: string, separator: string): Generator<string> {
  const rows: (readonly string[])[] = [];
  for (const row of fields(text, separator)) {
    rows.push(row);
    if (rows.length >= MAX_ROWS) break;
  }
  yield toTable(rows);
  if (rows.length >= MAX_ROWS) yield `[cut: the first ${MAX_ROWS} rows]`;
}

/** Yields the rows of a table. */
export function* fields(text: string, separator: string): Generator<readonly string[]> {
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    let value = "";
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        const end = quote < 0 ? text.length : quote;
        value += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"' || quote < 0) break;
        value += '"';
        at += 1;
      }
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\n") at += 1;
    value += text.slice(start, at);
    if (row.length < LIMITS.columns) row.push(value.endsWith("\r") ? value.slice(0, -1) : value);
    if (text[at] !== separator) {
      yield row;
      row = [];
    }
    at += 1;
  }
}
