/**
 * Finds rows of a log by type, person, agent and time. Rows have no index of these, and old rows are
 * in segments, so one search examines a limited number of rows and returns where to continue.
 */
import { AuditFacts, type AuditFilter, type AuditRow, type HouseId } from "@hearth/protocol";
import type { AuditSource } from "./source.ts";

export interface AuditSearch extends AuditFilter {
  /** The offset of a row. Only the rows before it are searched. Default: all rows. */
  readonly before?: number | undefined;
  /** Maximum number of rows to return. */
  readonly limit: number;
}

export interface AuditMatches {
  /** Newest first. */
  readonly rows: readonly AuditRow[];
  /** The value of `before` that continues the search. Absent: no older rows match. */
  readonly next?: number;
}

/** Number of rows that one search examines, to within one segment. */
const MAX_EXAMINED_ROWS = 10_000;

export const searchLog = async (
  source: Pick<AuditSource, "backward" | "before">,
  house: HouseId,
  search: AuditSearch,
  maxExaminedRows = MAX_EXAMINED_ROWS,
): Promise<AuditMatches> => {
  const { from = 0, until, limit } = search;
  const start = search.before ?? (until === undefined ? undefined : (await source.before(house, until)) + 1);
  const rows: AuditRow[] = [];
  let examinedRows = 0;
  for await (const page of source.backward(house, start)) {
    for (const row of page) {
      examinedRows += 1;
      if (isMatch(row, search)) rows.push(row);
      if (rows.length === limit) return { rows, ...toNext(row) };
    }
    const oldest = page.at(-1);
    // A clock that was set back leaves a few rows out of order, so one older row does not end the search.
    if (oldest !== undefined && page.every(({ at }) => at < from)) return { rows };
    if (oldest !== undefined && examinedRows >= maxExaminedRows) return { rows, ...toNext(oldest) };
  }
  return { rows };
};

const toNext = ({ offset }: AuditRow): { readonly next?: number } => (offset > 1 ? { next: offset } : {});

/** The facts that name a person or an agent. A row of type `record` has the record's id. */
const NAMING_FACTS = ["by", "agent", "person", "owner", "used_by", "edited_by", "id"] as const;

const isMatch = (row: AuditRow, { type, person, agent, from = 0, until = Infinity }: AuditSearch): boolean =>
  (type === undefined || row.type === type) &&
  row.at >= from &&
  row.at < until &&
  [person, agent].every((id) => id === undefined || namesAgent(row, id));

const namesAgent = ({ body }: AuditRow, id: string): boolean => {
  // Most rows do not contain the id and need not be parsed.
  if (body?.includes(id) !== true) return false;
  const facts = AuditFacts.safeParse(parse(body));
  return facts.success && NAMING_FACTS.some((name) => facts.data[name] === id);
};

/** Returns undefined for a row that was damaged. `verify` reports it. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
