/**
 * A program that commits to a new store for a while and prints the cost as a line of JSON. `hearth
 * bench durability` runs it once per setting. Arguments: a folder, the durability, and the duration
 * of each phase in milliseconds.
 */
import type { EventId } from "@hearth/protocol";
import { join } from "node:path";
import type { Change } from "../../kernel/store/store.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import { openBlobs } from "./blobs.ts";
import { openSqlite } from "./sqlite.ts";
import { createBunWorld } from "./world.ts";

/** Concurrent writers in the second phase. */
const WRITER_COUNT = 64;
const BLOB_COUNT = 40;
const BLOB_SIZE = 64 * 1024;
/** The body of an event, as long as a message of a few sentences. */
const BODY = "x".repeat(400);

const [, , folder = "", durabilityArgument = "", milliseconds = ""] = process.argv;
if (durabilityArgument !== "power" && durabilityArgument !== "process")
  throw new Error(`Unknown durability "${durabilityArgument}". Use power or process.`);
const durability = durabilityArgument;

const { clock, ids } = createBunWorld();
const store = await createSqliteStore({ database: openSqlite(join(folder, "hearth.db")), clock, durability });
const blobs = await openBlobs(join(folder, "blobs"), { durability });

const toChange = (id: EventId): Change => ({
  writes: [
    { kind: "append", stream: "room", event: { id, type: "message", at: 0, body: BODY, blob: null, labels: null } },
  ],
});

const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startMs = clock.monotonic();
  await work();
  return clock.monotonic() - startMs;
};

/**
 * Commits with concurrent writers, each starting the next commit when its last is durable. Measures
 * each commit, and the longest time in which no other code could run.
 */
const commitFor = async (writers: number, durationMs: number) => {
  const times: number[] = [];
  let startedCount = 0;
  let longestStallMs = 0;
  let lastTickMs = clock.monotonic();
  const endMs = lastTickMs + durationMs;
  const timer = setInterval(() => {
    const now = clock.monotonic();
    longestStallMs = Math.max(longestStallMs, now - lastTickMs);
    lastTickMs = now;
  }, 1);
  const write = async (): Promise<void> => {
    while (clock.monotonic() < endMs) {
      startedCount += 1;
      const change = toChange(ids.fresh("evt"));
      times.push(await measureMs(() => store.commit(change)));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  clearInterval(timer);
  return { times, longestStallMs };
};

// Warms up: the first commits pay for prepared statements and a growing file.
await commitFor(1, 200);
const alone = await commitFor(1, Number(milliseconds));
const grouped = await commitFor(WRITER_COUNT, Number(milliseconds));
const puts: number[] = [];
for (let index = 0; index < BLOB_COUNT; index += 1) {
  const bytes = new Uint8Array(BLOB_SIZE).fill(index);
  puts.push(await measureMs(() => blobs.put(bytes)));
}
await store[Symbol.asyncDispose]();
console.log(JSON.stringify({ alone, grouped, puts, writers: WRITER_COUNT, blobSize: BLOB_SIZE }));
