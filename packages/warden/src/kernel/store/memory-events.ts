/** The events of streams in memory: dense offsets, seals, reversible writes. */
import type { Undo } from "./memory-table.ts";
import type { PlainRow } from "./query.ts";
import type { Sealer } from "./seal.ts";
import type { Append, Appended, Forget, Redact, Trim } from "./store.ts";

/** The events of one stream, in order, and the offset of each id. */
interface EventList {
  /** The offset before the first row: how many events were trimmed. */
  base: number;
  readonly rows: PlainRow[];
  readonly offsets: Map<string, number>;
}

/** Each write adds to `undo` the steps that roll it back. */
export interface MemoryEvents {
  /** The events of this stream, or of all. */
  rows(only: string | undefined): Iterable<PlainRow>;
  /** The rows of `heads`. */
  heads(only: string | undefined): Iterable<PlainRow>;
  head(stream: string): number;
  append(write: Append, undo: Undo[]): Appended;
  forget(write: Forget, undo: Undo[]): void;
  redact(write: Redact, undo: Undo[]): void;
  trim(write: Trim, undo: Undo[]): void;
  /** Copies the events. Calling the returned function restores them. */
  copy(): Undo;
}

export const createMemoryEvents = (sealer: Sealer | undefined): MemoryEvents => {
  const streams = new Map<string, EventList>();
  const head = (stream: string): number => headOf(streams.get(stream));
  const namesOf = (only: string | undefined): readonly string[] => (only === undefined ? [...streams.keys()] : [only]);

  return {
    rows: (only) =>
      only === undefined ? [...streams.values()].flatMap(({ rows }) => rows) : (streams.get(only)?.rows ?? []),
    heads: (only) =>
      namesOf(only)
        .map((stream) => ({ stream, head: head(stream) }))
        .filter((row) => row.head > 0),
    head,

    append({ stream, event }, undo) {
      const list = streams.get(stream) ?? { base: 0, rows: [], offsets: new Map<string, number>() };
      const known = list.offsets.get(event.id);
      if (known !== undefined) return { kind: "duplicate", stream, id: event.id, offset: known };
      const offset = headOf(list) + 1;
      const before = list.rows.at(-1)?.["seal"];
      const sealed = sealer?.covers(stream) === true;
      const seal = sealed
        ? sealer.seal(typeof before === "string" ? before : null, { ...event, stream, offset })
        : null;
      list.rows.push(Object.freeze({ ...event, stream, offset, seal }));
      list.offsets.set(event.id, offset);
      streams.set(stream, list);
      undo.push(() => {
        list.rows.pop();
        list.offsets.delete(event.id);
      });
      return { kind: "appended", stream, id: event.id, offset, ...(seal === null ? {} : { seal }) };
    },

    forget({ where: { stream } }, undo) {
      const list = streams.get(stream);
      if (list === undefined) return;
      streams.delete(stream);
      undo.push(() => streams.set(stream, list));
    },

    redact({ where: { stream, id }, set }, undo) {
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
    },

    trim({ where: { stream }, through }, undo) {
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
    },

    copy() {
      const lists = [...streams].map(([stream, list]): [string, EventList] => [
        stream,
        { base: list.base, rows: [...list.rows], offsets: new Map(list.offsets) },
      ]);
      return () => {
        streams.clear();
        for (const [stream, list] of lists) streams.set(stream, list);
      };
    },
  };
};

const headOf = (list: EventList | undefined): number => (list === undefined ? 0 : list.base + list.rows.length);
