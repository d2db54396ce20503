/** Pieces of Markdown. */
import { LIMITS } from "./limits.ts";

/** One line, without characters that would end a cell of a table. */
export const toCell = (text: string): string => text.replace(/\s+/gu, " ").trim().replaceAll("|", "\\|");

export const toRow = (cells: readonly string[]): string =>
  `| ${cells.slice(0, LIMITS.columns).map(toCell).join(" | ")} |`;

/** The first row is the header. */
export const toTable = (rows: readonly (readonly string[])[]): string => {
  const width = Math.min(
    rows.reduce((most, row) => Math.max(most, row.length), 0),
    LIMITS.columns,
  );
  const lines = rows.map((row) => toRow(Array.from({ length: width }, (_, at) => row[at] ?? "")));
  return [...lines.slice(0, 1), `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
};

/** A line that marks where a part of the document begins, such as `[page 3]`. */
export const anchor = (kind: string, name: string | number): string =>
  `[${kind} ${typeof name === "number" ? name : quiet(name)}]`;

/** Names that documents and archives give, in one line. */
export const quiet = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
    .slice(0, 200);

/** Removes spaces at the ends of lines and more than one empty line. */
export const tidy = (text: string): string =>
  text
    .replace(/[ \t]+$/gmu, "")
    .replace(/\n{3,}/gu, "\n\n")
    .trim();
