/** The events of a store in memory, by stream. */
import type { Undo } from "./memory-table.ts";
import type { PlainRow } from "./query.ts";
import type { Sealer } from "./seal.ts";
import type { AppendWrite, Appended, ForgetWrite, RedactWrite, TrimWrite } from "./store.ts";

/** The events of one stream, in order, and the offset of each id. */
interface EventList {
  /** The number of trimmed events, which is the offset before the first row. */
  base: number;
  readonly rows: PlainRow[];
  readonly offsets: Map<string, number>;
}

const headOf = (list: EventList | undefined): number => (list === undefined ? 0 : list.base + list.rows.length);

export interface EventLists {
  /** Returns the offset of the last event, or 0 without events. */
  head(stream: string): number;
  names(): readonly string[];
  /** Returns the events in the order of their offsets, without trimmed ones. */
  rows(stream: string): readonly PlainRow[];
  /** Appends an event. Each change pushes the function that undoes it to `undo`. */
  append(change: AppendWrite, undo: Undo[]): Appended;
  forget(change: ForgetWrite, undo: Undo[]): void;
  redact(change: RedactWrite, undo: Undo[]): void;
  trim(change: TrimWrite, undo: Undo[]): void;
  /** Copies the events. Calling the returned function restores them. */
  copy(): Undo;
}

export const createEventLists = (sealer: Sealer | undefined): EventLists => {
  const streams = new Map<string, EventList>();

  const append = ({ stream, event }: AppendWrite, undo: Undo[]): Appended => {
    const list = streams.get(stream) ?? { base: 0, rows: [], offsets: new Map<string, number>() };
    const existingOffset = list.offsets.get(event.id);
    if (existingOffset !== undefined) return { kind: "duplicate", stream, id: event.id, offset: existingOffset };
    const offset = headOf(list) + 1;
    const previousSeal = list.rows.at(-1)?.["seal"];
    const isSealed = sealer?.covers(stream) === true;
    const seal = isSealed
      ? sealer.seal(typeof previousSeal === "string" ? previousSeal : null, { ...event, stream, offset })
      : null;
    list.rows.push(Object.freeze({ ...event, stream, offset, seal }));
    list.offsets.set(event.id, offset);
    streams.set(stream, list);
    undo.push(() => {
      list.rows.pop();
      list.offsets.delete(event.id);
    });
    return { kind: "appended", stream, id: event.id, offset, ...(seal === null ? {} : { seal }) };
  };

  const forget = ({ where: { stream } }: ForgetWrite, undo: Undo[]): void => {
    const list = streams.get(stream);
    if (list === undefined) return;
    streams.delete(stream);
    undo.push(() => streams.set(stream, list));
  };

  const redact = ({ where: { stream, id }, set }: RedactWrite, undo: Undo[]): void => {
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

  const trim = ({ where: { stream }, through }: TrimWrite, undo: Undo[]): void => {
    const list = streams.get(stream);
    if (list === undefined || through <= list.base) return;
    const trimmedRows = list.rows.splice(0, through - list.base);
    const { base } = list;
    list.base = base + trimmedRows.length;
    for (const { id } of trimmedRows) list.offsets.delete(String(id));
    undo.push(() => {
      list.base = base;
      list.rows.unshift(...trimmedRows);
      for (const [index, { id }] of trimmedRows.entries()) list.offsets.set(String(id), base + index + 1);
    });
  };

  return {
    head: (stream) => headOf(streams.get(stream)),
    names: () => [...streams.keys()],
    rows: (stream) => streams.get(stream)?.rows ?? [],
    append,
    forget,
    redact,
    trim,
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
