/** Reads separated values (RFC 4180) for a preview. Pure. */

export interface SeparatedValues {
  /** The first rows, each with at most `MAX_COLUMNS` cells. */
  readonly rows: readonly (readonly string[])[];
  /** The number of rows in the text. */
  readonly count: number;
}

export const MAX_ROWS = 200;
const MAX_COLUMNS = 50;

export const readSeparated = (text: string): SeparatedValues => {
  const separator = separatorOf(text);
  const rows: (readonly string[])[] = [];
  let count = 0;
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    // An empty line does not count as a row.
    if (row.length > 1 || row[0] !== "") {
      count += 1;
      if (rows.length < MAX_ROWS) rows.push(row.slice(0, MAX_COLUMNS));
    }
    row = [];
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) endRow();
  return { rows, count };
};

/** Returns the separator that is most frequent in the first line. */
const separatorOf = (text: string): string => {
  const [line = ""] = text.split("\n", 1);
  const unquotedLine = line.replace(/"[^"]*"/gu, "");
  const [mostFrequent] = [",", ";", "\t"]
    .map((character) => ({ character, count: unquotedLine.split(character).length }))
    .toSorted((a, b) => b.count - a.count);
  return mostFrequent?.character ?? ",";
};
