/** Previews of separated values. */
import { expect, test } from "bun:test";
import { MAX_ROWS, readSeparated } from "./separated.ts";

test.each([
  ["", []],
  ["a", [["a"]]],
  [
    "a,b\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "a,b\r\nc,d",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["a\n\n\nb", [["a"], ["b"]]],
  [
    ",\n,",
    [
      ["", ""],
      ["", ""],
    ],
  ],
  ["a,", [["a", ""]]],
  ["a;b;c,d", [["a", "b", "c,d"]]],
  ["a\tb,c\td", [["a", "b,c", "d"]]],
  ["a;b,c", [["a;b", "c"]]],
  ['"a;b;c",d', [["a;b;c", "d"]]],
  ['"a,b",c', [["a,b", "c"]]],
  ['"a ""b""",c', [['a "b"', "c"]]],
  [
    '"a\nb",c\nd,e',
    [
      ["a\nb", "c"],
      ["d", "e"],
    ],
  ],
  ['a"b,c"', [['a"b', 'c"']]],
  ['"open,b', [["open,b"]]],
])("%j has the rows %j", (text, rows) => {
  expect(readSeparated(text)).toEqual({ rows, count: rows.length });
});

test("a preview has the first rows and columns, and the number of all rows", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `row ${index}\n`).join("");
  expect(readSeparated(lines(MAX_ROWS))).toMatchObject({ count: MAX_ROWS, rows: { length: MAX_ROWS } });
  const { rows, count } = readSeparated(lines(MAX_ROWS + 1));
  expect([rows.length, rows.at(-1), count]).toEqual([MAX_ROWS, [`row ${MAX_ROWS - 1}`], MAX_ROWS + 1]);
  const wide = (count: number): string => Array.from({ length: count }, (_, index) => index).join(",");
  expect(readSeparated(wide(50)).rows[0]).toHaveLength(50);
  expect(readSeparated(wide(51)).rows[0]).toHaveLength(50);
});
