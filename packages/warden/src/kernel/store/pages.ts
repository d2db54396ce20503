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
  let lastValue: number | undefined;
  /** The ids of the yielded rows whose value is `lastValue`. */
  let tiedIds = new Set<string>();
  for (;;) {
    const query: Query<Table> = {
      table,
      ...(where === undefined ? {} : { where }),
      ...(lastValue === undefined
        ? {}
        : { and: [{ column, is: descending === true ? "<=" : ">=", value: lastValue }] }),
      order: [{ column, ...(descending === undefined ? {} : { descending }) }],
      limit: size + tiedIds.size,
    };
    const rows = await store.select(query);
    const newRows = rows.filter((row) => !tiedIds.has(idOf(row)));
    const pageEnd = newRows.at(-1)?.[column] as number | undefined;
    if (pageEnd === undefined) return;
    yield newRows;
    if (rows.length < size + tiedIds.size) return;
    const newTiedIds = newRows.filter((row) => row[column] === pageEnd).map(idOf);
    tiedIds = new Set(pageEnd === lastValue ? [...tiedIds, ...newTiedIds] : newTiedIds);
    lastValue = pageEnd;
  }
}
