/** Reads many rows of a table in pages, ordered by a column that may have equal values. */
import type { Match, Query, Store } from "./store.ts";
import type { Row, TableName } from "./tables/tables.ts";

/**
 * The column that orders rows. An index must begin with the columns of `where`, followed by this
 * one.
 */
type OrderColumn<Table extends TableName> = {
  [Column in keyof Row<Table> & string]: Row<Table>[Column] extends number ? Column : never;
}[keyof Row<Table> & string];

/**
 * Yields each row once, even if rows with one value fill more than a page. Rows that are added
 * meanwhile may be left out.
 */
export async function* pagesBy<Table extends TableName>(
  store: Pick<Store, "select">,
  options: {
    readonly table: Table;
    readonly where?: Match<Table>;
    readonly column: OrderColumn<Table>;
    readonly descending?: true;
    readonly idOf: (row: Row<Table>) => string;
    readonly size: number;
  },
): AsyncGenerator<readonly Row<Table>[]> {
  const { table, where, column, descending, idOf, size } = options;
  let last: number | undefined;
  /** The yielded rows that have the same value as the last one. */
  let tied = new Set<string>();
  for (;;) {
    const query: Query<Table> = {
      table,
      ...(where === undefined ? {} : { where }),
      ...(last === undefined ? {} : { and: [{ column, is: descending === true ? "<=" : ">=", value: last }] }),
      order: [{ column, ...(descending === undefined ? {} : { descending }) }],
      limit: size + tied.size,
    };
    const rows = await store.select(query);
    const newRows = rows.filter((row) => !tied.has(idOf(row)));
    const end = newRows.at(-1)?.[column] as number | undefined;
    if (end === undefined) return;
    yield newRows;
    if (rows.length < size + tied.size) return;
    const ties = newRows.filter((row) => row[column] === end).map(idOf);
    tied = new Set(end === last ? [...tied, ...ties] : ties);
    last = end;
  }
}
