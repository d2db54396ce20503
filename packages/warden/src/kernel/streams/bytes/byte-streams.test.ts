import { createBunClock } from "@hearth/inmate/bun/clock";
import type { FakeWorld } from "@hearth/protocol/world-fake";
import { openSqlite } from "../../../adapter/bun/sqlite.ts";
import { createFakeLog } from "../../log/log.ts";
import { createMemoryBlobs } from "../../store/memory-blobs.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createSqliteStore } from "../../store/sqlite.ts";
import type { Store } from "../../store/store.ts";
import { createDurableStreams } from "../durable.ts";
import { byteStreamsConformance, type ByteStreamsHarness } from "./byte-streams.conformance.ts";
import { createByteStreams } from "./house-byte-streams.ts";
import { byteStreamsModel } from "./model.conformance.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const inMemory = (): Promise<Store> => Promise.resolve(createMemoryStore());
const inSqlite = (): Promise<Store> =>
  createSqliteStore({
    database: openSqlite(":memory:"),
    clock: createBunClock(),
  });

const over = (openStore: () => Promise<Store>) => async (): Promise<ByteStreamsHarness> => {
  const store = await openStore();
  const blobs = createMemoryBlobs(hash);
  const released: string[] = [];
  return {
    store,
    released,
    open: (world: FakeWorld, over = store) =>
      createByteStreams({
        world,
        log: createFakeLog(),
        store: over,
        streams: createDurableStreams({ world, store: over, blobs }),
        release: async (hashes) => {
          released.push(...hashes);
        },
      }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
};

byteStreamsConformance("over the store in memory", over(inMemory));
byteStreamsConformance("over SQLite", over(inSqlite));
byteStreamsModel("over the store in memory", over(inMemory));
byteStreamsModel("over SQLite", over(inSqlite));
