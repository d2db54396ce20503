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
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === separator) endCell();
    else if (sign === "\n") endRow();
    else if (sign !== "\r") cell += sign;
  }
  if (cell !== "" || row.length > 0) endRow();
  return { rows, count };
};

/** Returns the separator that is most frequent in the first line. */
const separatorOf = (text: string): string => {
  const [line = ""] = text.split("\n", 1);
  const bare = line.replace(/"[^"]*"/gu, "");
  const [most] = [",", ";", "\t"]
    .map((sign) => ({ sign, count: bare.split(sign).length }))
    .toSorted((a, b) => b.count - a.count);
  return most?.sign ?? ",";
};
