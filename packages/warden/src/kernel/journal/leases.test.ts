import { expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryStore } from "../store/memory.ts";
import { createLeases, LEASE_MS } from "./leases.ts";

const agent = "agent_1" as AgentId;
const open = () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  return {
    ...world,
    store,
    holder: (name: string, house: "alone" | "shared" = "shared") => createLeases({ world, store, holder: name, house }),
    row: async () => (await store.select({ table: "leases" }))[0],
  };
};

test("a free lease is taken with number 1, and held without further reads", async () => {
  const { holder, row } = open();
  const leases = holder("a");
  expect((await leases.acquire(agent)).fence).toBe(1);
  expect((await leases.acquire(agent)).fence).toBe(1);
  expect(await row()).toMatchObject({ holder: "a", fence: 1 });
});

test("concurrent requests get the same lease", async () => {
  const leases = open().holder("a");
  const all = await Promise.all([1, 2, 3].map(() => leases.acquire(agent)));
  expect(all.map(({ fence }) => fence)).toEqual([1, 1, 1]);
});

test("R18: a held lease is refused until it expires; then the number grows, and the old guard fails", async () => {
  const { holder, advance, store } = open();
  const old = await holder("a").acquire(agent);
  const other = holder("b");
  await expect(other.acquire(agent)).rejects.toMatchObject({ code: "lease.lost" });
  await advance(LEASE_MS);
  const fresh = await other.acquire(agent);
  expect(fresh.fence).toBe(2);
  expect((await store.commit({ guards: [old.guard], writes: [] })).kind).toBe("refused");
  expect((await store.commit({ guards: [fresh.guard], writes: [] })).kind).toBe("committed");
});

test("a daemon with an exclusive home takes a lease over at once", async () => {
  const { holder } = open();
  await holder("a", "alone").acquire(agent);
  expect((await holder("b", "alone").acquire(agent)).fence).toBe(2);
});

test("writes renew a lease: a holder that writes is not replaced, an idle one is", async () => {
  const { holder, advance, store } = open();
  const lease = await holder("a").acquire(agent);
  const other = holder("b");
  expect(lease.renewal()).toEqual([]);
  for (let round = 0; round < 4; round += 1) {
    await advance(LEASE_MS * 0.75);
    const writes = lease.renewal();
    expect(writes).toHaveLength(1);
    expect((await store.commit({ guards: [lease.guard], writes })).kind).toBe("committed");
    lease.confirmRenewal(writes);
    await expect(other.acquire(agent)).rejects.toMatchObject({ code: "lease.lost" });
  }
  await advance(LEASE_MS);
  expect((await other.acquire(agent)).fence).toBe(2);
});

test("a holder with an expired lease reads again, and learns of the new holder", async () => {
  const { holder, advance } = open();
  const first = holder("a");
  await first.acquire(agent);
  await advance(LEASE_MS);
  await holder("b").acquire(agent);
  await expect(first.acquire(agent)).rejects.toMatchObject({ code: "lease.lost" });
});

test("of two daemons that take a free lease at once, one gets it", async () => {
  const { holder } = open();
  const results = await Promise.allSettled([holder("a").acquire(agent), holder("b").acquire(agent)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a renewal that was not committed is planned again, and the lease expires as stored", async () => {
  const { holder, advance } = open();
  const lease = await holder("a").acquire(agent);
  await advance(LEASE_MS * 0.75);
  expect(lease.renewal()).toHaveLength(1);
  expect(lease.renewal()).toHaveLength(1);
  await advance(LEASE_MS * 0.25);
  expect(lease.hasExpired()).toBe(true);
});

test("a daemon takes its own lease again at once, with a higher number", async () => {
  const world = createFakeWorld({ hash: () => "" });
  const store = createMemoryStore();
  const leases = createLeases({ world, store, holder: "a", house: "shared" });
  const first = await leases.acquire("agent_1" as AgentId);
  expect(await leases.acquire("agent_1" as AgentId)).toBe(first);
  leases.forget("agent_1" as AgentId);
  expect((await leases.acquire("agent_1" as AgentId)).fence).toBe(first.fence + 1);
});
