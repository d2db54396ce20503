/** Byte streams in the house's store, created from their parts. */
import type { World } from "@hearth/protocol";
import type { Log } from "../../log/log.ts";
import type { Store } from "../../store/store.ts";
import type { DurableStreams } from "../streams.ts";
import type { ByteStreams } from "./byte-streams.ts";
import { createCreation } from "./creation.ts";
import { createReading } from "./reading.ts";
import { createRemoval } from "./removal.ts";
import { createStreamRows, renewal } from "./stream-rows.ts";
import { createWriting } from "./writing.ts";

export interface ByteStreamsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: DurableStreams;
  /** Removes blobs to which no row refers. */
  readonly release: (blobs: readonly string[]) => Promise<void>;
}

export const createByteStreams = (options: ByteStreamsOptions): ByteStreams => {
  const { world, store, streams } = options;
  const streamRows = createStreamRows(store, streams);
  const { current, remove, run, poke } = createRemoval({ ...options, streamRows });
  const { read, next } = createReading(streams, streamRows);

  return {
    create: createCreation({ world, store, streams, streamRows, current, read, onDue: poke }),
    append: createWriting({ world, store, streams, streamRows, current }),
    remove,
    read,
    next,
    run,
    async find(address) {
      const row = await current(address);
      if (row === undefined) return "absent";
      return row.state === "gone" ? "gone" : streamRows.info(row);
    },
    async addressOf(id) {
      const row = await streamRows.byId(id);
      return row === undefined ? undefined : { house: row.house, path: row.path };
    },
    async list(house) {
      const rows = await store.select({ table: "byte_streams", where: { house }, order: [{ column: "path" }] });
      return Promise.all(rows.filter(({ state }) => state !== "gone").map(streamRows.info));
    },
    async touch({ id, ttlSeconds }) {
      if (ttlSeconds === undefined) return;
      const row = await streamRows.byId(id);
      const set = row === undefined ? {} : renewal(row, world.clock.now());
      if (row === undefined || set.due_at === undefined) return;
      await store.commit({
        writes: [{ kind: "update", table: "byte_streams", where: { id, due_at: row.due_at }, set }],
      });
    },
  };
};
