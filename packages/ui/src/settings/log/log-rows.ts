/** The rows of the log: the newest lines first, filtered by a text. Pure. */
import type { LogLine } from "@hearth/protocol";

export interface LogRow {
  /** Stays the same when later requests return the line again. */
  readonly key: string;
  readonly line: LogLine;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** `filter` matches the message, the names and the values of fields, in upper or lower case. */
export const toRows = (lines: readonly LogLine[], filter: string): readonly LogRow[] => {
  const counts = new Map<string, number>();
  const searchText = filter.trim().toLowerCase();
  return lines
    .map((line): LogRow => {
      const text = `${line.at} ${line.message}`;
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      const fields = Object.entries(line.fields).map(([name, value]) => ({ name, value: toText(value) }));
      return { key: `${text} ${count}`, line, fields };
    })
    .filter(({ line, fields }) =>
      [line.message, ...fields.flatMap(({ name, value }) => [name, value])].some((text) =>
        text.toLowerCase().includes(searchText),
      ),
    )
    .reverse();
};

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
