/** Formats text as Markdown. */
import { LIMITS } from "./limits.ts";

/** Formats a text as a cell of a table: on one line, with `|` escaped. */
export const toCell = (text: string): string => text.replace(/\s+/gu, " ").trim().replaceAll("|", "\\|");

export const toRow = (cells: readonly string[]): string =>
  `| ${cells.slice(0, LIMITS.columns).map(toCell).join(" | ")} |`;

/** Formats rows as a table. The first row is the header. */
export const toTable = (rows: readonly (readonly string[])[]): string => {
  const width = Math.min(
    rows.reduce((most, row) => Math.max(most, row.length), 0),
    LIMITS.columns,
  );
  const lines = rows.map((row) => toRow(Array.from({ length: width }, (_, at) => row[at] ?? "")));
  return [...lines.slice(0, 1), `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
};

/** Returns a line that marks where a part of the document begins, such as `[page 3]`. */
export const anchor = (kind: string, name: string | number): string =>
  `[${kind} ${typeof name === "number" ? name : toSingleLine(name)}]`;

/** Puts a name from a document or an archive on one line. */
export const toSingleLine = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
    .slice(0, 200);

/** Removes spaces at the ends of lines, and reduces several empty lines to one. */
export const tidy = (text: string): string =>
  text
    .replace(/[ \t]+$/gmu, "")
    .replace(/\n{3,}/gu, "\n\n")
    .trim();
