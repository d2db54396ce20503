/**
 * Converts queries and writes to SQL. Values are always parameters, so that each shape has one text
 * and is prepared once.
 */
import type { Query, Write } from "./store.ts";
import type { Table, Value } from "./tables/table.ts";
import { type TableName, tables } from "./tables/tables.ts";

export interface Sql {
  readonly text: string;
  readonly parameters: readonly Value[];
}

type Columns = Readonly<Record<string, Value>>;

/**
 * The placeholder of a value in a query. With a plain `?`, SQLite uses the value for its plan and
 * replans an ordered or limited query at each call, which takes longer than the query. The sign
 * leaves the value unchanged and keeps the plan.
 */
const VALUE = "+?";

export const selectSql = <Table extends TableName>(query: Query<Table>): Sql => {
  const { table, and = [], order = [], limit } = query;
  const { conditions, parameters } = toConditions(table, (query.where ?? {}) as Columns);
  for (const { column, is, value } of and) {
    if (isLiteral(table, column, value)) conditions.push(`"${column}" ${is} '${value}'`);
    else if (typeof value !== "object" || value === null) {
      conditions.push(`"${column}" ${is} ${VALUE}`);
      parameters.push(value);
    } else if (value.length === 0) {
      conditions.push("1 = 0");
    } else if (value.every((item) => isLiteral(table, column, item))) {
      conditions.push(`"${column}" in (${value.map((item) => `'${item}'`).join(", ")})`);
    } else {
      const paddedValues = padToPowerOfTwo(value);
      conditions.push(`"${column}" in (${paddedValues.map(() => VALUE).join(", ")})`);
      parameters.push(...paddedValues);
    }
  }
  let text = `select * from "${table}"${toWhereClause(conditions)}`;
  if (order.length > 0) {
    const terms = order.map(({ column, descending }) => `"${column}"${descending === true ? " desc" : ""}`);
    text += ` order by ${terms.join(", ")}`;
  }
  if (limit !== undefined) {
    text += ` limit ${VALUE}`;
    parameters.push(limit);
  }
  return { text, parameters };
};

/** Returns a query for one row with 1 if any row matches. */
export const existsSql = (table: TableName, where: Columns): Sql => {
  const { conditions, parameters } = toConditions(table, where);
  return { text: `select 1 from "${table}"${toWhereClause(conditions)} limit 1`, parameters };
};

export const writeSql = (write: Exclude<Write, { readonly kind: "append" }>): Sql => {
  switch (write.kind) {
    case "insert":
    case "put": {
      const { columns, [write.kind]: text } = insertTexts[write.table];
      const row: Columns = write.row;
      return { text, parameters: columns.map((column) => row[column] ?? null) };
    }
    case "update": {
      const columns = Object.keys(write.set).map((column) => `"${column}" = ?`);
      const { conditions, parameters } = toConditions(write.table, write.where);
      return {
        text: `update "${write.table}" set ${columns.join(", ")}${toWhereClause(conditions)}`,
        parameters: [...Object.values(write.set), ...parameters],
      };
    }
    case "delete": {
      const { conditions, parameters } = toConditions(write.table, write.where);
      return { text: `delete from "${write.table}"${toWhereClause(conditions)}`, parameters };
    }
    case "trim":
      return {
        text: `delete from "events" where "stream" = ${VALUE} and "offset" <= ${VALUE}`,
        parameters: [write.where.stream, write.through],
      };
  }
};

const toColumnList = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(", ");

interface InsertTexts {
  readonly columns: readonly string[];
  readonly insert: string;
  readonly put: string;
}

const toInsertTexts = (name: string, { columns: columnDeclarations, key }: Table): InsertTexts => {
  const columns = Object.keys(columnDeclarations);
  const insert = `insert into "${name}" (${toColumnList(columns)}) values (${columns.map(() => "?").join(", ")})`;
  const assignments = columns
    .filter((column) => !key.includes(column))
    .map((column) => `"${column}" = excluded."${column}"`);
  const put = `${insert} on conflict (${toColumnList(key)}) do update set ${assignments.join(", ")}`;
  return { columns, insert, put };
};

/** A row has every column of its table, so a table has one text of each kind. */
const insertTexts = Object.fromEntries(
  Object.entries(tables).map(([name, table]) => [name, toInsertTexts(name, table)]),
) as Readonly<Record<TableName, InsertTexts>>;

interface Conditions {
  readonly conditions: string[];
  readonly parameters: Value[];
}

const toConditions = (table: TableName, match: Columns): Conditions => {
  const conditions: string[] = [];
  const parameters: Value[] = [];
  for (const [column, value] of Object.entries(match)) {
    if (value === null) conditions.push(`"${column}" is null`);
    else if (isLiteral(table, column, value)) conditions.push(`"${column}" = '${value}'`);
    else {
      conditions.push(`"${column}" = ${VALUE}`);
      parameters.push(value);
    }
  }
  return { conditions, parameters };
};

/**
 * Whether the value must be a literal in the statement, because SQLite uses a partial index only
 * then.
 */
const isLiteral = (table: TableName, column: string, value: unknown): value is string =>
  typeof value === "string" && (literals[table]?.[column]?.includes(value) ?? false);

const literalsOf = ({ indexes = {} }: Table): Readonly<Record<string, readonly string[]>> | undefined => {
  const columns: Record<string, string[]> = {};
  for (const { where } of Object.values(indexes))
    if (where?.is === "in") (columns[where.column] ??= []).push(...where.values);
    else if (where?.is === "=" || where?.is === "<") (columns[where.column] ??= []).push(where.value);
  return Object.keys(columns).length === 0 ? undefined : columns;
};

/** The values of partial indexes, by table and column. */
const literals: Readonly<Record<string, Readonly<Record<string, readonly string[]>> | undefined>> = Object.fromEntries(
  Object.entries(tables).map(([name, table]) => [name, literalsOf(table)]),
);

const toWhereClause = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;

/** Pads a list by repeating its last value, so that lists of any length share few statements. */
const padToPowerOfTwo = (items: readonly Value[]): readonly Value[] => {
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return Array.from({ length }, (_, index) => items[Math.min(index, items.length - 1)] ?? null);
};
