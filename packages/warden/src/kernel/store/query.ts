/** Evaluates queries over plain rows, for in-memory stores. */
import type { Query } from "./store.ts";
import type { Value } from "./tables/table.ts";
import type { TableName } from "./tables/tables.ts";

export type PlainRow = Readonly<Record<string, Value>>;

export const matches = (row: PlainRow, match: PlainRow): boolean => {
  for (const column in match) if (row[column] !== match[column]) return false;
  return true;
};

/** Returns the rows of a query. `rows` must include all rows that match its `where`. */
export const runQuery = <Table extends TableName>(
  rows: Iterable<PlainRow>,
  query: Query<Table>,
): readonly PlainRow[] => {
  const { where = {}, and = [], order = [], limit = Infinity } = query;
  const matchingRows: PlainRow[] = [];
  for (const row of rows) {
    if (matches(row, where) && and.every(({ column, is, value }) => satisfies(row[column] ?? null, is, value)))
      matchingRows.push(row);
    if (order.length === 0 && matchingRows.length >= limit) break;
  }
  if (order.length > 0) {
    matchingRows.sort((a, b) => {
      for (const { column, descending } of order) {
        const sign = compare(a[column] ?? null, b[column] ?? null);
        if (sign !== 0) return descending === true ? -sign : sign;
      }
      return 0;
    });
  }
  return matchingRows.slice(0, limit);
};

const satisfies = (value: Value, is: string, operand: Value | readonly Value[]): boolean => {
  if (value === null || operand === null) return false;
  if (typeof operand === "object") return is === "in" && operand.includes(value);
  const sign = compare(value, operand);
  switch (is) {
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    default:
      return sign >= 0;
  }
};

const compare = (a: Value, b: Value): number => {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return a < b ? -1 : 1;
};

/**
 * Compares by code point, like databases. JavaScript's `<` compares code units, which puts U+FF5E
 * after an emoji.
 */
const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
};

/**
 * Ranks a code unit. Surrogates represent code points beyond the BMP, so they rank above U+E000 to
 * U+FFFF.
 */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
