/**
 * A store in memory with the whole contract except durability, for tests and for houses whose data
 * need not survive the process.
 */
import { HearthError } from "@hearth/protocol";
import { createEventLists } from "./memory-events.ts";
import { createMemoryPassages } from "./memory-passages.ts";
import { createMemoryTexts } from "./memory-texts.ts";
import { createMemoryTable, type MemoryTable, type Undo } from "./memory-table.ts";
import { runQuery, matches, type PlainRow } from "./query.ts";
import type { Sealer } from "./seal.ts";
import type {
  AppendWrite,
  Appended,
  Commit,
  CommitResult,
  ForgetWrite,
  Guard,
  Query,
  RedactWrite,
  Store,
  TrimWrite,
  Write,
} from "./store.ts";
import { type Row, type TableName, tableNames, tables, type WritableTable } from "./tables/tables.ts";

export interface MemoryStore extends Store {
  /** Simulates a power cut: loses the reproducible changes that no durable change follows. */
  cutPower(): void;
  /** Copies everything, like a backup. Calling the returned function restores the copy. */
  copy(): Undo;
}

export const createMemoryStore = ({ sealer }: { readonly sealer?: Sealer } = {}): MemoryStore => {
  const tablesByName = Object.fromEntries(tableNames.map((name) => [name, createMemoryTable(tables[name])])) as Record<
    WritableTable,
    MemoryTable
  >;
  const events = createEventLists(sealer);
  let lastCommit: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  /** The functions that undo the reproducible changes since the last durable one. */
  const reproducibleUndos: Undo[] = [];

  const undoAll = (undo: Undo[]): void => {
    for (const undoChange of undo.splice(0).toReversed()) undoChange();
  };

  const rows = (name: TableName, match: PlainRow): Iterable<PlainRow> => {
    if (name !== "events" && name !== "heads") return tablesByName[name].candidates(match);
    const { stream: onlyStream } = match;
    if (name === "events" && typeof onlyStream === "string") return events.rows(onlyStream);
    const streams = typeof onlyStream === "string" ? [onlyStream] : events.names();
    return name === "events"
      ? streams.flatMap(events.rows)
      : streams.map((stream) => ({ stream, head: events.head(stream) })).filter((row) => row.head > 0);
  };

  const holds = (guard: Guard): boolean => {
    if (guard.kind === "head") return events.head(guard.stream) === guard.offset;
    for (const row of rows(guard.table, guard.where)) {
      if (matches(row, guard.where)) return guard.kind === "exists";
    }
    return guard.kind === "absent";
  };

  /**
   * Makes a write and returns whether it succeeded. Pushes the functions that undo it to `undo`.
   */
  const applyWrite = (
    write: Exclude<Write, AppendWrite | RedactWrite | ForgetWrite | TrimWrite>,
    undo: Undo[],
  ): boolean => {
    const memoryTable = tablesByName[write.table];
    const replace = (oldRows: readonly PlainRow[], newRows: readonly PlainRow[]): boolean => {
      for (const row of oldRows) undo.push(memoryTable.remove(row));
      return newRows.every((row) => {
        const undoInsert = memoryTable.insert(row);
        if (undoInsert !== "conflict") undo.push(undoInsert);
        return undoInsert !== "conflict";
      });
    };
    switch (write.kind) {
      case "insert":
        return replace([], [write.row]);
      case "put": {
        const oldRow = memoryTable.findByKey(write.row);
        return replace(oldRow === undefined ? [] : [oldRow], [write.row]);
      }
      case "delete":
        return replace(memoryTable.find(write.where), []);
      case "update": {
        const oldRows = memoryTable.find(write.where);
        return replace(
          oldRows,
          oldRows.map((row) => ({ ...row, ...write.set })),
        );
      }
    }
  };

  const apply = (change: Commit): CommitResult => {
    const failedGuard = (change.guards ?? []).find((guard) => !holds(guard));
    if (failedGuard !== undefined) return { kind: "refused", guard: failedGuard.name };
    const undo: Undo[] = [];
    const appended: Appended[] = [];
    for (const entry of change.writes) {
      if (entry.kind === "append") appended.push(events.append(entry, undo));
      else if (entry.table === "events") {
        if (entry.kind === "delete") events.forget(entry, undo);
        else if (entry.kind === "trim") events.trim(entry, undo);
        else events.redact(entry, undo);
      } else if (!applyWrite(entry, undo)) {
        undoAll(undo);
        return { kind: "conflict", table: entry.table };
      }
    }
    if (change.isReproducible !== true) reproducibleUndos.length = 0;
    else reproducibleUndos.push(...undo);
    return { kind: "committed", appended };
  };

  const rejectClosed = (): Promise<never> => Promise.reject(new HearthError("house.closing", "The store is closed."));

  const assertOpen = (): void => {
    if (isClosed) throw new HearthError("house.closing", "The store is closed.");
  };

  return {
    traits: { durability: "none" },
    texts: createMemoryTexts(events, assertOpen),
    passages: createMemoryPassages(
      (name) => tablesByName[name].find({}),
      (room, event) => events.rows(`room:${room}`).some(({ id }) => id === event),
      assertOpen,
    ),
    commit(change) {
      if (isClosed) return rejectClosed();
      // The result is asynchronous, so that a read that does not wait for the commit fails here as
      // in other stores.
      const result = Promise.resolve().then(() => apply(change));
      lastCommit = result;
      return result;
    },
    select<Table extends TableName>(query: Query<Table>) {
      if (isClosed) return rejectClosed();
      const where = (query.where ?? {}) as PlainRow;
      return Promise.resolve(runQuery(rows(query.table, where), query) as unknown as readonly Row<Table>[]);
    },
    freeBytes: () => (isClosed ? rejectClosed() : Promise.resolve(Infinity)),
    scrub: () => (isClosed ? rejectClosed() : Promise.resolve()),
    shrink: () => (isClosed ? rejectClosed() : Promise.resolve(0)),
    waitUntilIdle: () => Promise.resolve(),
    cutPower: () => undoAll(reproducibleUndos),
    copy() {
      const restorers = [...Object.values(tablesByName), events].map((table) => table.copy());
      return () => {
        reproducibleUndos.length = 0;
        for (const restore of restorers) restore();
      };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.allSettled([lastCommit]);
    },
  };
};
