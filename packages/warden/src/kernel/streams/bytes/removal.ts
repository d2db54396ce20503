/** Removes byte streams: on request, on expiry, and with the last fork that uses them. */
import { isHearthError, untilAborted, type World } from "@hearth/protocol";
import type { Log } from "../../log/log.ts";
import type { Guard, Store, Write } from "../../store/store.ts";
import type { DurableStreams } from "../streams.ts";
import type { Address } from "./byte-streams.ts";
import { type ByteStreamRow, isDue, nameOf, type StreamRows } from "./stream-rows.ts";

export interface Removal {
  /** Returns the row at an address. An expired stream is removed first. */
  current(address: Address): Promise<ByteStreamRow | undefined>;
  remove(address: Address): Promise<"removed" | "absent" | "gone">;
  /** Removes expired streams until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Signals a new stream that can expire. */
  poke(): void;
}

/** Number of streams per round of the sweep. */
const STREAMS_PER_ROUND = 100;
/** Number of events per query for blobs. */
const EVENTS_PER_QUERY = 100;
/** Pause after a failure of the store. */
const RETRY_MS = 60_000;
/** Maximum sleep, because the clock may jump. */
const MAX_SLEEP_MS = 60 * 60 * 1000;

export const createRemoval = (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly streamRows: StreamRows;
  /** Removes blobs to which no row refers. */
  readonly release: (blobs: readonly string[]) => Promise<void>;
}): Removal => {
  const { world, log, store, streams, streamRows, release } = options;
  let pause = new AbortController();

  const blobsOf = async (rows: readonly ByteStreamRow[]): Promise<readonly string[]> => {
    const blobs = new Set<string>();
    for (const { id } of rows) {
      for (let lastOffset = 0; ;) {
        const page = await store.select({
          table: "events",
          where: { stream: nameOf(id) },
          and: [
            { column: "offset", is: ">", value: lastOffset },
            // Null fails every comparison.
            { column: "blob", is: ">", value: "" },
          ],
          order: [{ column: "offset" }],
          limit: EVENTS_PER_QUERY,
        });
        for (const { blob } of page) if (blob !== null) blobs.add(blob);
        if (page.length < EVENTS_PER_QUERY) break;
        lastOffset = page.at(-1)?.offset ?? lastOffset;
      }
    }
    return [...blobs];
  };

  /** Hides a stream with forks. From now on only the forks read it. */
  const hide = async (row: ByteStreamRow): Promise<boolean> => {
    const { kind } = await streams.commit({
      guards: [toUnchangedGuard(row)],
      writes: [
        { kind: "update", table: "byte_streams", where: { id: row.id }, set: { state: "gone", due_at: null } },
        { kind: "delete", table: "byte_producers", where: { stream: row.id } },
      ],
      ends: [nameOf(row.id)],
    });
    return kind === "committed";
  };

  /** Removes a stream, and with it the hidden sources that only this stream used. */
  const removeWithSources = async (row: ByteStreamRow): Promise<boolean> => {
    const removedRows = [row];
    const guards: Guard[] = [toUnchangedGuard(row)];
    const writes: Write[] = [];
    for (let id = row.source; id !== null;) {
      const source = await streamRows.byId(id);
      if (source === undefined) return false;
      guards.push(toUnchangedGuard(source));
      if (source.state === "gone" && source.forks === 1) removedRows.push(source);
      else writes.push({ kind: "update", table: "byte_streams", where: { id }, set: { forks: source.forks - 1 } });
      id = removedRows.at(-1) === source ? source.source : null;
    }
    for (const { id } of removedRows) {
      writes.push(
        { kind: "delete", table: "byte_streams", where: { id } },
        { kind: "delete", table: "byte_producers", where: { stream: id } },
        { kind: "delete", table: "events", where: { stream: nameOf(id) } },
      );
    }
    const blobs = await blobsOf(removedRows);
    const { kind } = await streams.commit({ guards, writes, ends: removedRows.map(({ id }) => nameOf(id)) });
    if (kind !== "committed") return false;
    try {
      await release(blobs);
    } catch (error) {
      log.write("warn", "blobs of a removed stream could not be removed", { error });
    }
    return true;
  };

  /** Returns false if the stream changed meanwhile. */
  const removeRow = (row: ByteStreamRow): Promise<boolean> => (row.forks > 0 ? hide(row) : removeWithSources(row));

  const current: Removal["current"] = async (address) => {
    for (;;) {
      const row = await streamRows.byAddress(address);
      if (row === undefined || !isDue(row, world.clock.now())) return row;
      await removeRow(row);
    }
  };

  const sweep = async (): Promise<void> => {
    for (;;) {
      const dueRows = await store.select({
        table: "byte_streams",
        and: [{ column: "due_at", is: "<=", value: world.clock.now() }],
        limit: STREAMS_PER_ROUND,
      });
      for (const row of dueRows) await removeRow(row);
      if (dueRows.length < STREAMS_PER_ROUND) return;
      await world.clock.turn();
    }
  };

  const untilDue = async (signal: AbortSignal): Promise<void> => {
    const [nextRow] = await store.select({
      table: "byte_streams",
      and: [{ column: "due_at", is: ">", value: 0 }],
      order: [{ column: "due_at" }],
      limit: 1,
    });
    const anyAbort = AbortSignal.any([signal, pause.signal]);
    if (nextRow === undefined || nextRow.due_at === null) await untilAborted(anyAbort);
    else await world.clock.sleep(Math.min(nextRow.due_at - world.clock.now(), MAX_SLEEP_MS), anyAbort);
  };

  return {
    current,
    async remove(address) {
      for (;;) {
        const row = await current(address);
        if (row === undefined) return "absent";
        if (row.state === "gone") return "gone";
        if (await removeRow(row)) return "removed";
      }
    },
    async run(signal) {
      while (!signal.aborted) {
        // The controller is replaced before the sweep, so that a poke during the sweep is noticed.
        pause = new AbortController();
        try {
          await sweep();
          await untilDue(signal);
        } catch (error) {
          if (isHearthError(error, "house.closing")) return;
          log.write("warn", "cannot remove expired streams; will try again", { error });
          await world.clock.sleep(RETRY_MS, signal);
        }
      }
    },
    poke: () => pause.abort(),
  };
};

/** Returns the guard that the row was not renewed, forked or closed since it was read. */
const toUnchangedGuard = ({ id, state, forks, due_at }: ByteStreamRow): Guard => ({
  kind: "exists",
  table: "byte_streams",
  where: { id, state, forks, due_at },
});
