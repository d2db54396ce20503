/** Writes a command's output: tables, facts and JSON to stdout; notes and failures to stderr. */
import { safeJson, safeLine, safeText } from "./safe-text.ts";
import type { Terminal } from "../terminal.ts";

export interface Output {
  /** Writes a line to stdout. The caller escapes untrusted text. */
  line(text: string): void;
  /** Writes JSON: indented at a terminal, on one line otherwise. */
  json(value: unknown): void;
  /** Writes rows under headings. Without rows, writes `emptyText` to stderr. */
  table(headings: readonly string[], rows: readonly (readonly string[])[], emptyText: string): void;
  /** Writes one name and value per line, and omits names without a value. */
  facts(facts: readonly (readonly [string, string | undefined])[]): void;
  /** Writes a dim note to stderr. */
  note(text: string): void;
  failure(failure: { readonly message: string; readonly hint?: string | undefined }): void;
  readonly style: Style;
}

/** Functions that style a text. They return it unchanged when the stream is not a terminal. */
export interface Style {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
}

export const createOutput = (terminal: Terminal): Output => {
  const stdoutStyle = createStyle(terminal, terminal.stdoutIsTerminal);
  const stderrStyle = createStyle(terminal, terminal.stderrIsTerminal);
  return {
    style: stdoutStyle,
    line: (text) => terminal.out(`${text}\n`),
    json: (value) => terminal.out(`${safeJson(value, terminal.stdoutIsTerminal ? 2 : undefined)}\n`),
    table(headings, rows, emptyText) {
      if (rows.length === 0) {
        terminal.err(`${stderrStyle.dim(emptyText)}\n`);
        return;
      }
      const cells = rows.map((row) => row.map(safeLine));
      const widths = headings.map((heading, index) =>
        Math.max(...[heading, ...cells.map((row) => row[index] ?? "")].map(widthOf)),
      );
      const toLine = (row: readonly string[]): string => {
        const line = row
          .map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
          .join("  ")
          .trimEnd();
        return terminal.stdoutIsTerminal ? truncate(line, terminal.columns()) : line;
      };
      terminal.out(`${[stdoutStyle.dim(toLine(headings)), ...cells.map(toLine)].join("\n")}\n`);
    },
    facts(facts) {
      const presentFacts = facts.filter(([, value]) => value !== undefined);
      const width = Math.max(...presentFacts.map(([name]) => widthOf(name)));
      for (const [name, value = ""] of presentFacts)
        terminal.out(`${stdoutStyle.dim(pad(name, width))}  ${safeLine(value)}\n`);
    },
    note: (text) => terminal.err(`${stderrStyle.dim(text)}\n`),
    failure({ message, hint }) {
      terminal.err(`${stderrStyle.red("hearth:")} ${safeText(message)}\n`);
      if (hint !== undefined) terminal.err(`  ${safeText(hint)}\n`);
    },
  };
};

/** Creates the styles of a stream. A non-empty `NO_COLOR` turns colours off. */
const createStyle = ({ env }: Terminal, isTerminal: boolean): Style => {
  const isStyled = isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  const paint = (code: number, end: number) => (text: string) =>
    isStyled ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { dim: paint(2, 22), bold: paint(1, 22), red: paint(31, 39) };
};

const widthOf = (text: string): number => Bun.stringWidth(text);

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

const truncate = (line: string, columns: number): string =>
  widthOf(line) <= columns ? line : `${Bun.sliceAnsi(line, 0, Math.max(1, columns - 1))}…`;
