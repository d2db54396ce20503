import { expect, test } from "bun:test";
import type { AgentId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createFakeLog } from "../log/log.ts";
import { append, insertActivation, insertStep } from "../store/conformance/rows.conformance.ts";
import { UNREFERENCED_MS } from "../store/blobs.ts";
import { writeJson } from "../store/json.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Write } from "../store/store.ts";
import { ORPHAN_MS, removeOrphans } from "./orphaned-blobs.ts";
import { createRetention } from "./retention.ts";

const agent = "agent_1" as AgentId;
const room = "room_1" as RoomId;
const LAST_SHARD = 255;
const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const open = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash, world.clock.now);
  const activation = (id: string, frozen: { frozen?: string; frozen_blob?: string }): Write => {
    const insert = insertActivation(id);
    if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no activation");
    return { ...insert, row: { ...insert.row, ended_at: 0, ...frozen } };
  };
  const commit = async (...writes: readonly Write[]): Promise<void> => void (await store.commit({ writes }));
  const sweep = () => removeOrphans({ clock: world.clock, store, blobs });
  return { world, store, blobs, activation, commit, sweep };
};

type House = ReturnType<typeof open>;

const inFrozen = (blob: string): string => JSON.stringify({ parts: [{ name: "notes", hash: blob }] });

/** One way to name a blob each. */
const namings = {
  "a step": ({ commit }: House, blob: string, index: number) => {
    const step = insertStep(index);
    if (step.kind !== "insert" || step.table !== "steps") throw new Error("no step");
    return commit({ ...step, row: { ...step.row, output_blob: blob } });
  },
  "an event": ({ commit }: House, blob: string, index: number) => {
    const { event, ...write } = append("room:r", `e${index}`);
    return commit({ ...write, event: { ...event, body: null, blob } });
  },
  "a version of a file": ({ commit }: House, blob: string) =>
    commit({ kind: "put", table: "brain_bodies", row: { agent, hash: blob, text: null, base: null, depth: 0 } }),
  "a summary": ({ commit }: House, blob: string, index: number) =>
    commit({
      kind: "insert",
      table: "compactions",
      row: {
        agent,
        room,
        place: index,
        state: "done",
        reason: null,
        keep: null,
        activation: null,
        after: 0,
        through: 1,
        head: 1,
        messages: 1,
        tokens: null,
        summary: blob,
        labels: null,
        files: writeJson([]),
        usage: writeJson({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }),
        at: 0,
        ended_at: 0,
      },
    }),
  "a frozen input": ({ commit, activation }: House, blob: string, index: number) =>
    commit(activation(`direct${index}`, { frozen_blob: blob })),
  "a part of an inline input": ({ commit, activation }: House, blob: string, index: number) =>
    commit(activation(`inline${index}`, { frozen: inFrozen(blob) })),
  "a part of an input in a blob": async ({ commit, activation, blobs }: House, blob: string, index: number) =>
    commit(activation(`blob${index}`, { frozen_blob: await blobs.put(bytesOf(inFrozen(blob))) })),
} as const;

const kinds = [...(Object.keys(namings) as (keyof typeof namings)[]), undefined];

test("over random rows, exactly the blobs that are old and that nothing names are removed", async () => {
  const one = fc.record({ by: fc.constantFrom(...kinds), isOld: fc.boolean(), text: fc.nat({ max: 30 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 25 }), async (wanted) => {
      const house = open();
      const put = async (isOld: boolean): Promise<void> => {
        for (const [index, { by, text, ...row }] of wanted.entries()) {
          if (row.isOld !== isOld) continue;
          const blob = await house.blobs.put(bytesOf(`text ${text}`));
          if (by !== undefined) await namings[by](house, blob, index);
        }
      };
      await put(true);
      await house.world.advance(ORPHAN_MS);
      await put(false);
      const { count } = await house.sweep();
      const kept = new Set(wanted.filter(({ by, isOld }) => by !== undefined || !isOld).map(({ text }) => text));
      const all = new Set(wanted.map(({ text }) => text));
      for (const text of all)
        expect([text, (await house.blobs.get(hash(`text ${text}`))) !== undefined]).toEqual([text, kept.has(text)]);
      expect(count).toBe(all.size - kept.size);
    }),
    { numRuns: 200 },
  );
});

test("a blob whose commit never came is gone after the sweep, a day later and not before", async () => {
  const { world, store, blobs } = open();
  const log = createFakeLog();
  const inbox = { sweep: async (): Promise<number> => 0 };
  const retention = createRetention({
    world,
    log,
    store,
    blobs,
    times: () => ({ activationMs: 30 * ORPHAN_MS, days: { deliveryDays: 90, jobDays: 365, usageDays: 400 } }),
    inbox,
    audit: { archive: async () => 0 },
    uploads: { sweep: async () => [] },
    indexes: { catchUp: async () => {} },
    traces: { sweep: async () => {} },
  });
  const blob = await blobs.put(bytesOf("put right before a crash"));
  await world.advance(ORPHAN_MS - 1);
  await retention.sweep();
  expect(await blobs.get(blob)).toBeDefined();
  await world.advance(1);
  await retention.sweep();
  expect(await blobs.get(blob)).toBeUndefined();
  expect(log.lines.join()).toContain("removed blobs that nothing names");
});

test("nothing is removed while a frozen input cannot be read", async () => {
  const { world, blobs, commit, activation, sweep } = open();
  const frozen = await blobs.put(bytesOf("{}"));
  const orphan = await blobs.put(bytesOf("orphan"));
  await commit(activation("damaged", { frozen_blob: frozen }));
  await blobs.erase(frozen);
  await world.advance(ORPHAN_MS);
  expect(await sweep()).toEqual({ count: 0, sizeBytes: 0 });
  expect(await blobs.get(orphan)).toBeDefined();
  await commit({ kind: "delete", table: "activations", where: { id: "damaged" } });
  expect(await sweep()).toEqual({ count: 1, sizeBytes: 6 });
  expect(await blobs.get(orphan)).toBeUndefined();
});

test("a blob that is put again, or named, during the sweep stays", async () => {
  const { world, store, blobs, commit } = open();
  const [again, named] = [await blobs.put(bytesOf("again")), await blobs.put(bytesOf("named"))];
  await world.advance(ORPHAN_MS);
  const list = async (shard: number) => {
    const listed = await blobs.list(shard);
    if (shard === LAST_SHARD) {
      await blobs.put(bytesOf("again"));
      await namings["a version of a file"]({ commit } as House, named);
    }
    return listed;
  };
  await removeOrphans({ clock: world.clock, store, blobs: { ...blobs, list } });
  expect(await blobs.get(again)).toBeDefined();
  expect(await blobs.get(named)).toBeDefined();
  expect(UNREFERENCED_MS).toBeLessThan(ORPHAN_MS);
});

test("a sweep ends with its signal and removes nothing more", async () => {
  const { world, store, blobs } = open();
  for (const text of ["one", "two", "three"]) await blobs.put(bytesOf(text));
  await world.advance(ORPHAN_MS);
  const stopped = new AbortController();
  let lists = 0;
  const list = (shard: number) => {
    lists += 1;
    if (lists === 3) stopped.abort();
    return blobs.list(shard);
  };
  const none = { count: 0, sizeBytes: 0 };
  const options = { clock: world.clock, store, signal: stopped.signal };
  expect(await removeOrphans({ ...options, blobs: { ...blobs, list } })).toEqual(none);
  expect(lists).toBe(3);

  const after = new AbortController();
  const remove = (hash: string) => {
    after.abort();
    return blobs.remove(hash);
  };
  const { count } = await removeOrphans({ ...options, blobs: { ...blobs, remove }, signal: after.signal });
  expect(count).toBe(1);
  expect((await removeOrphans({ clock: world.clock, store, blobs })).count).toBe(2);
});
