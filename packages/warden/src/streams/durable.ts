/** Streams in the store: one row an event, long bodies as blobs, followers woken by commits and never by a clock. */
import { type AnyEvent, isHearthError, type Stored, type StreamName, type World } from "@hearth/protocol";
import type { Blobs } from "../store/blobs.ts";
import { packBody, unpackBody } from "../store/bodies.ts";
import type { Append, Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { createBell } from "./bell.ts";
import type { DurableStreams, NewEvent } from "./streams.ts";

/** Events of one batch of a follower at most. */
const BATCH = 100;
/** How long a follower waits when the store cannot be read. */
const RETRY_MS = 1000;

export const createDurableStreams = (options: {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly blobs: Blobs;
}): DurableStreams => {
  const { world, store, blobs } = options;
  const bell = createBell();

  const toAppend = async ({ stream, id, event }: NewEvent): Promise<Append> => {
    const { inline, blob } = await packBody(blobs, JSON.stringify(event));
    return { kind: "append", stream, event: { id, type: event.type, at: event.at, body: inline, blob } };
  };

  const toStored = async (row: Row<"events">): Promise<Stored> => {
    const event = JSON.parse(await unpackBody(blobs, { inline: row.body, blob: row.blob })) as AnyEvent;
    return { ...event, id: row.id, offset: row.offset } as Stored;
  };

  const head = async (stream: StreamName): Promise<number> => {
    const [row] = await store.select({ table: "heads", where: { stream } });
    return row?.head ?? 0;
  };

  const read: DurableStreams["read"] = async (stream, after, limit) => {
    const rows = await store.select({
      table: "events",
      where: { stream },
      and: [{ column: "offset", is: ">", value: after }],
      order: [{ column: "offset" }],
      limit,
    });
    return Promise.all(rows.map(toStored));
  };

  const find: DurableStreams["find"] = async (stream, id) => {
    const [row] = await store.select({ table: "events", where: { stream, id } });
    return row === undefined ? undefined : toStored(row);
  };

  const commit: DurableStreams["commit"] = async ({ guards = [], writes, events = [] }) => {
    const appends = await Promise.all(events.map(toAppend));
    const result = await store.commit({ guards, writes: [...writes, ...appends] });
    if (result.kind === "committed") {
      const grown = result.appended.filter((appended) => appended.kind === "appended");
      for (const stream of new Set(grown.map((appended) => appended.stream))) bell.ring(stream as StreamName);
    }
    return result;
  };

  return {
    head,
    read,
    find,
    commit,
    watch: bell.watch,
    async append(event, { expected } = {}) {
      const { stream, id } = event;
      const guards = expected === undefined ? [] : [{ kind: "head" as const, stream, offset: expected }];
      const result = await commit({ guards, writes: [], events: [event] });
      if (result.kind === "committed") {
        const [appended] = result.appended;
        if (appended === undefined) throw new TypeError("an append has one result");
        return { kind: appended.kind, offset: appended.offset };
      }
      const known = await find(stream, id);
      return known === undefined
        ? { kind: "conflict", head: await head(stream) }
        : { kind: "duplicate", offset: known.offset };
    },
    follow(stream, after, signal) {
      let last = after;
      return bell.follow(stream, signal, async () => {
        while (!signal.aborted) {
          try {
            const batch = await read(stream, last, BATCH);
            last = batch.at(-1)?.offset ?? last;
            return batch;
          } catch (error) {
            if (isHearthError(error, "house.closing")) return "ended";
            // It must not end over a bad moment of the disk: nobody would notice, and it would miss everything after.
            await world.clock.sleep(RETRY_MS, signal);
          }
        }
        return "ended";
      });
    },
  };
};
