/** A store in memory: the whole contract but durability. For tests, and for houses that need not last. */
import { HearthError } from "@hearth/protocol";
import { createMemoryTable, type Undo } from "./memory-table.ts";
import { answer, matches, type PlainRow } from "./query.ts";
import type { Append, Appended, Change, CommitResult, Guard, Query, Store, Write } from "./store.ts";
import { type Row, type TableName, tableShapes, type WritableTable } from "./tables.ts";

/** The events of one stream, in order, and the offset of each by its id. */
interface EventList {
  readonly rows: PlainRow[];
  readonly offsets: Map<string, number>;
}

export const createMemoryStore = (): Store => {
  const table = (name: WritableTable) => createMemoryTable(tableShapes[name].key, tableShapes[name].unique);
  const tables = {
    records: table("records"),
    readers: table("readers"),
    activations: table("activations"),
    steps: table("steps"),
    keys: table("keys"),
    logins: table("logins"),
  } satisfies Record<WritableTable, unknown>;
  const streams = new Map<string, EventList>();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const rows = (name: TableName, match: PlainRow): Iterable<PlainRow> => {
    const lists = typeof match["stream"] === "string" ? [match["stream"]] : [...streams.keys()];
    switch (name) {
      case "events":
        return lists.flatMap((stream) => streams.get(stream)?.rows ?? []);
      case "heads":
        return lists.map((stream) => ({ stream, head: head(stream) })).filter((row) => row.head > 0);
      default:
        return tables[name].candidates(match);
    }
  };
  const head = (stream: string): number => streams.get(stream)?.rows.length ?? 0;

  const holds = (guard: Guard): boolean => {
    if (guard.kind === "head") return head(guard.stream) === guard.offset;
    for (const row of rows(guard.table, guard.where)) {
      if (matches(row, guard.where)) return guard.kind === "exists";
    }
    return guard.kind === "absent";
  };

  const append = ({ stream, event }: Append, undo: Undo[]): Appended => {
    const list = streams.get(stream) ?? { rows: [], offsets: new Map<string, number>() };
    const known = list.offsets.get(event.id);
    if (known !== undefined) return { kind: "duplicate", stream, id: event.id, offset: known };
    const offset = list.rows.push(Object.freeze({ ...event, stream, offset: list.rows.length + 1 }));
    list.offsets.set(event.id, offset);
    streams.set(stream, list);
    undo.push(() => {
      list.rows.pop();
      list.offsets.delete(event.id);
    });
    return { kind: "appended", stream, id: event.id, offset };
  };

  /** Whether it could be done. Leaves in `undo` what takes back as much of it as was done. */
  const write = (write: Exclude<Write, Append>, undo: Undo[]): boolean => {
    const target = tables[write.table];
    const replace = (old: readonly PlainRow[], fresh: readonly PlainRow[]): boolean => {
      for (const row of old) undo.push(target.remove(row));
      return fresh.every((row) => {
        const inserted = target.insert(row);
        if (inserted !== "conflict") undo.push(inserted);
        return inserted !== "conflict";
      });
    };
    switch (write.kind) {
      case "insert":
        return replace([], [write.row]);
      case "put": {
        const old = target.same(write.row);
        return replace(old === undefined ? [] : [old], [write.row]);
      }
      case "delete":
        return replace(target.find(write.where), []);
      case "update": {
        const old = target.find(write.where);
        return replace(
          old,
          old.map((row) => ({ ...row, ...write.set })),
        );
      }
    }
  };

  const apply = (change: Change): CommitResult => {
    const guard = (change.guards ?? []).findIndex((one) => !holds(one));
    if (guard >= 0) return { kind: "refused", guard };
    const undo: Undo[] = [];
    const appended: Appended[] = [];
    for (const one of change.writes) {
      if (one.kind === "append") appended.push(append(one, undo));
      else if (!write(one, undo)) {
        for (const back of undo.reverse()) back();
        return { kind: "conflict", table: one.table };
      }
    }
    return { kind: "committed", appended };
  };

  const refuse = (): Promise<never> => Promise.reject(new HearthError("house.closing", "The store is closed."));

  return {
    commit(change) {
      if (closed) return refuse();
      // Not at once: who reads without waiting for the commit must not be lucky here and nowhere else.
      const result = Promise.resolve().then(() => apply(change));
      last = result;
      return result;
    },
    select<Table extends TableName>(query: Query<Table>) {
      if (closed) return refuse();
      const where = (query.where ?? {}) as PlainRow;
      return Promise.resolve(answer(rows(query.table, where), query) as unknown as readonly Row<Table>[]);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.allSettled([last]);
    },
  };
};
