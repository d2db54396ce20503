import { describe, expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../log/log.ts";
import { insertActivation } from "../store/conformance/rows.conformance.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Write } from "../store/store.ts";
import { plainRow } from "../../fixtures/rows.ts";
import { prune } from "./prune.ts";
import { createRetention } from "./retention.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = 1000;
const oldest = { deliveryDays: OLD, jobDays: OLD, usageDays: OLD };

const delivery = (id: string, endedAt: number | null): Write => ({
  kind: "insert",
  table: "outbox",
  row: plainRow("outbox", {
    ...{ id, channel: "c", conversation: "v", place: 1, room: "r", event: id, body: "text", reply_to: null },
    ...{
      choices: null,
      ends: null,
      file: null,
      spoken: 0,
      state: endedAt === null ? "queued" : "sent",
      attempts: 1,
      not_before: 0,
    },
    ...{ external: null, error: null, created_at: 0, ended_at: endedAt },
  }),
});

const update = (external: string, at: number): Write => ({
  kind: "insert",
  table: "inbound",
  row: plainRow("inbound", {
    ...{ channel: "c", external, at: 0, received_at: at, conversation: "v", message: external, sender: "s", room: "r" },
    ...{ event: `evt_${external}`, fate: "accepted" },
  }),
});

const slot = (job: string, at: number, endedAt: number | null, byHand: 0 | 1 = 0): Write => ({
  kind: "insert",
  table: "job_slots",
  row: plainRow("job_slots", {
    ...{ agent: "a", job, slot: at, by_hand: byHand, through: at, count: 1, fate: "fired", reason: "" },
    ...{ fired_at: at, ended_at: endedAt, activation: null, result: null, way: null },
  }),
});

const open = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const commit = async (...writes: readonly Write[]): Promise<void> => void (await store.commit({ writes }));
  const deliveries = async () => (await store.select({ table: "outbox" })).map(({ id }): string => id).toSorted();
  const updates = async () => (await store.select({ table: "inbound" })).map(({ external }) => external).toSorted();
  const slots = async () =>
    (await store.select({ table: "job_slots" })).map((row) => `${row.job} ${row.slot} ${row.by_hand}`).toSorted();
  return { world, store, commit, deliveries, updates, slots, options: { clock: world.clock, store, oldest } };
};

describe("pruning", () => {
  test("deletes finished rows as old as the limit, and no younger or unfinished one", async () => {
    const { commit, deliveries, updates, options } = open();
    await commit(delivery("old", OLD), delivery("younger", OLD + 1), delivery("open", null));
    await commit(update("old", OLD), update("younger", OLD + 1));
    expect(await prune(options)).toEqual({ outbox: 1, inbound: 1 });
    expect(await deliveries()).toEqual(["open", "younger"]);
    expect(await updates()).toEqual(["younger"]);
    expect(await prune(options)).toEqual({});
  });

  test("keeps the last slot of each job and kind, even if many jobs have only old ones", async () => {
    const { commit, slots, options } = open();
    const jobs = Array.from({ length: 120 }, (_, index) => `job${index}`);
    // More rows that stay than a commit has, all of them before the others.
    for (const job of jobs) await commit(slot(job, 2, 1), slot(job, 2, 1, 1));
    for (const job of jobs) await commit(slot(job, 1, 2));
    await commit(slot("late", 3, OLD), slot("late", 4, null));
    expect(await prune(options)).toEqual({ job_slots: 121 });
    const kept = jobs.flatMap((job) => [`${job} 2 0`, `${job} 2 1`]);
    expect(await slots()).toEqual([...kept, "late 4 0"].toSorted());
    expect(await prune(options)).toEqual({});
  });

  test("deletes at most 50 rows per commit, and ends with its signal", async () => {
    const { commit, store, deliveries, options } = open();
    for (let index = 0; index < 120; index += 1) await commit(delivery(`d${index}`, index));
    const sizes: number[] = [];
    const stop = new AbortController();
    const counting: typeof store.commit = (change) => {
      sizes.push(change.writes.length);
      if (sizes.length === 2) stop.abort();
      return store.commit(change);
    };
    expect(await prune({ ...options, store: { ...store, commit: counting }, signal: stop.signal })).toEqual({
      outbox: 100,
    });
    expect(sizes).toEqual([50, 50]);
    expect(await deliveries()).toHaveLength(20);
  });

  test("keeps a row that changes between being read and being deleted", async () => {
    const { commit, store, slots, options } = open();
    await commit(slot("job", 1, 1), slot("job", 2, null));
    const changing: typeof store.commit = async (change) => {
      const where = { agent: "a", job: "job", slot: 1 };
      await store.commit({ writes: [{ kind: "update", table: "job_slots", where, set: { ended_at: OLD + 1 } }] });
      return store.commit(change);
    };
    await prune({ ...options, store: { ...store, commit: changing } });
    expect(await slots()).toEqual(["job 1 0", "job 2 0"]);
  });
});

describe("a sweep", () => {
  const sweeping = (days: { readonly deliveryDays: number; readonly jobDays: number; readonly usageDays?: number }) => {
    const house = open();
    const { world, store } = house;
    const retention = createRetention({
      ...{
        world,
        store,
        log: createFakeLog(),
        blobs: createMemoryBlobs(world.hash),
        times: () => ({ activationMs: 30 * DAY_MS, days: { usageDays: 400, ...days } }),
      },
      inbox: { sweep: async () => 0 },
      audit: { archive: async () => 0 },
      uploads: { sweep: async () => [] },
      indexes: { catchUp: async () => {} },
      traces: { sweep: async () => {} },
    });
    return { ...house, retention };
  };

  test("keeps deliveries and updates for the days of the config, but no shorter than the log", async () => {
    const { world, commit, deliveries, updates, slots, retention } = sweeping({ deliveryDays: 1, jobDays: 40 });
    const now = world.clock.now();
    await commit(delivery("d", now), update("u", now), slot("job", 1, now), slot("job", 2, now));
    await world.advance(30 * DAY_MS - 1);
    await retention.sweep();
    expect([await deliveries(), await updates()]).toEqual([["d"], ["u"]]);
    await world.advance(1);
    await retention.sweep();
    expect([await deliveries(), await updates(), (await slots()).length]).toEqual([[], [], 2]);
    await world.advance(10 * DAY_MS);
    await retention.sweep();
    expect(await slots()).toEqual(["job 2 0"]);
  });

  test("keeps every row from the update that caused the oldest open activation on", async () => {
    const { world, store, commit, deliveries, updates, retention } = sweeping({ deliveryDays: 30, jobDays: 30 });
    const now = world.clock.now();
    const begun = insertActivation("waiting");
    if (begun.kind !== "insert" || begun.table !== "activations") throw new Error("no activation");
    const row = { ...begun.row, cause: "evt_cause" as never, created_at: now + 10, ended_at: null };
    await commit({ ...begun, row }, update("before", now - 1), update("cause", now), delivery("d", now + 5));
    await world.advance(90 * DAY_MS);
    await retention.sweep();
    expect([await updates(), await deliveries()]).toEqual([["cause"], ["d"]]);
    await store.commit({
      writes: [{ kind: "update", table: "activations", where: { id: "waiting" }, set: { ended_at: now } }],
    });
    await retention.sweep();
    expect([await updates(), await deliveries()]).toEqual([[], []]);
  });
});
