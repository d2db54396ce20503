/**
 * A store in memory: the whole contract except durability. For tests, and for houses that need not
 * last.
 */
import { HearthError } from "@hearth/protocol";
import { createMemoryTable, type MemoryTable, type Undo } from "./memory-table.ts";
import { answer, matches, type PlainRow } from "./query.ts";
import type { Sealer } from "./seal.ts";
import type {
  Append,
  Appended,
  Commit,
  CommitResult,
  Forget,
  Guard,
  Query,
  Redact,
  Store,
  Trim,
  Write,
} from "./store.ts";
import { type Row, type TableName, tableNames, tables, type WritableTable } from "./tables/tables.ts";

/** The events of one stream, in order, and the offset of each id. */
interface EventList {
  /** The offset before the first row: how many events were trimmed. */
  base: number;
  readonly rows: PlainRow[];
  readonly offsets: Map<string, number>;
}

const headOf = (list: EventList | undefined): number => (list === undefined ? 0 : list.base + list.rows.length);

export interface MemoryStore extends Store {
  /** Simulates a power cut: loses reproducible changes with nothing durable after them. */
  cutPower(): void;
  /** Copies everything, like a backup. Calling the returned function restores it. */
  copy(): Undo;
}

export const createMemoryStore = ({ sealer }: { readonly sealer?: Sealer } = {}): MemoryStore => {
  const held = Object.fromEntries(tableNames.map((name) => [name, createMemoryTable(tables[name])])) as Record<
    WritableTable,
    MemoryTable
  >;
  const streams = new Map<string, EventList>();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  /** Undoes the reproducible changes since the last durable one. */
  const remade: Undo[] = [];

  const takeBack = (undo: Undo[]): void => {
    for (const back of undo.splice(0).toReversed()) back();
  };

  const rows = (name: TableName, match: PlainRow): Iterable<PlainRow> => {
    if (name !== "events" && name !== "heads") return held[name].candidates(match);
    const { stream: only } = match;
    if (name === "events" && typeof only === "string") return streams.get(only)?.rows ?? [];
    const lists = typeof only === "string" ? [only] : [...streams.keys()];
    return name === "events"
      ? lists.flatMap((stream) => streams.get(stream)?.rows ?? [])
      : lists.map((stream) => ({ stream, head: head(stream) })).filter((row) => row.head > 0);
  };
  const head = (stream: string): number => headOf(streams.get(stream));

  const holds = (guard: Guard): boolean => {
    if (guard.kind === "head") return head(guard.stream) === guard.offset;
    for (const row of rows(guard.table, guard.where)) {
      if (matches(row, guard.where)) return guard.kind === "exists";
    }
    return guard.kind === "absent";
  };

  const append = ({ stream, event }: Append, undo: Undo[]): Appended => {
    const list = streams.get(stream) ?? { base: 0, rows: [], offsets: new Map<string, number>() };
    const known = list.offsets.get(event.id);
    if (known !== undefined) return { kind: "duplicate", stream, id: event.id, offset: known };
    const offset = headOf(list) + 1;
    const before = list.rows.at(-1)?.["seal"];
    const sealed = sealer?.covers(stream) === true;
    const seal = sealed ? sealer.seal(typeof before === "string" ? before : null, { ...event, stream, offset }) : null;
    list.rows.push(Object.freeze({ ...event, stream, offset, seal }));
    list.offsets.set(event.id, offset);
    streams.set(stream, list);
    undo.push(() => {
      list.rows.pop();
      list.offsets.delete(event.id);
    });
    return { kind: "appended", stream, id: event.id, offset, ...(seal === null ? {} : { seal }) };
  };

  const forget = ({ where: { stream } }: Forget, undo: Undo[]): void => {
    const list = streams.get(stream);
    if (list === undefined) return;
    streams.delete(stream);
    undo.push(() => streams.set(stream, list));
  };

  const redact = ({ where: { stream, id }, set }: Redact, undo: Undo[]): void => {
    const list = streams.get(stream);
    const offset = list?.offsets.get(id);
    if (list === undefined || offset === undefined) return;
    const index = offset - list.base - 1;
    const row = list.rows[index];
    if (row === undefined) return;
    list.rows[index] = Object.freeze({ ...row, ...set });
    undo.push(() => {
      list.rows[index] = row;
    });
  };

  const trim = ({ where: { stream }, through }: Trim, undo: Undo[]): void => {
    const list = streams.get(stream);
    if (list === undefined || through <= list.base) return;
    const gone = list.rows.splice(0, through - list.base);
    const { base } = list;
    list.base = base + gone.length;
    for (const { id } of gone) list.offsets.delete(String(id));
    undo.push(() => {
      list.base = base;
      list.rows.unshift(...gone);
      for (const [index, { id }] of gone.entries()) list.offsets.set(String(id), base + index + 1);
    });
  };

  /** Returns whether it succeeded. `undo` receives the steps that roll back what was done. */
  const write = (write: Exclude<Write, Append | Redact | Forget | Trim>, undo: Undo[]): boolean => {
    const target = held[write.table];
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

  const apply = (change: Commit): CommitResult => {
    const failed = (change.guards ?? []).find((guard) => !holds(guard));
    if (failed !== undefined) return { kind: "refused", guard: failed.name };
    const undo: Undo[] = [];
    const appended: Appended[] = [];
    for (const one of change.writes) {
      if (one.kind === "append") appended.push(append(one, undo));
      else if (one.table === "events") {
        if (one.kind === "delete") forget(one, undo);
        else if (one.kind === "trim") trim(one, undo);
        else redact(one, undo);
      } else if (!write(one, undo)) {
        takeBack(undo);
        return { kind: "conflict", table: one.table };
      }
    }
    if (change.remade !== true) remade.length = 0;
    else remade.push(...undo);
    return { kind: "committed", appended };
  };

  const refuse = (): Promise<never> => Promise.reject(new HearthError("house.closing", "The store is closed."));

  return {
    traits: { durability: "none" },
    commit(change) {
      if (closed) return refuse();
      // Asynchronous, so that a read that does not wait for the commit fails here as elsewhere.
      const result = Promise.resolve().then(() => apply(change));
      last = result;
      return result;
    },
    select<Table extends TableName>(query: Query<Table>) {
      if (closed) return refuse();
      const where = (query.where ?? {}) as PlainRow;
      return Promise.resolve(answer(rows(query.table, where), query) as unknown as readonly Row<Table>[]);
    },
    spare: () => (closed ? refuse() : Promise.resolve(Infinity)),
    scrub: () => (closed ? refuse() : Promise.resolve()),
    shrink: () => (closed ? refuse() : Promise.resolve(0)),
    rest: () => Promise.resolve(),
    cutPower: () => takeBack(remade),
    copy() {
      const kept = Object.values(held).map((one) => one.copy());
      const lists = [...streams].map(([stream, list]): [string, EventList] => [
        stream,
        { base: list.base, rows: [...list.rows], offsets: new Map(list.offsets) },
      ]);
      return () => {
        remade.length = 0;
        for (const putBack of kept) putBack();
        streams.clear();
        for (const [stream, list] of lists) streams.set(stream, list);
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.allSettled([last]);
    },
  };
};
