/** Tests the limit on open cells: which cells close, and which activation gets the next slot. */
import { expect, test } from "bun:test";
import type { AgentRecord } from "@hearth/protocol";
import { createBot, finish, firstFrame, openPool, scopeFor } from "../fixtures/pool.ts";
import { type FakeInmate, sayHello } from "./fake.ts";
import { RETIRE_AFTER_MS } from "./eviction.ts";
import type { Pool, CellLease } from "./pool.ts";

const [ana, ben, cleo] = [createBot("ana"), createBot("ben"), createBot("cleo")];
const openFor = (pool: Pool): readonly string[] => pool.list().map(({ agent }) => agent);

/** Acquires a lease for the agent, and reports whether it has one by now. */
const sitting = (pool: Pool, agent: AgentRecord, signal?: AbortSignal) => {
  const state: { cellLease: CellLease | undefined; over: boolean } = { cellLease: undefined, over: false };
  const sat = pool
    .acquire(agent, "private", scopeFor(agent), signal)
    .then((cellLease) => Object.assign(state, { cellLease, over: true }));
  return Object.assign(state, { sat });
};

test("a new cell replaces the cell that has been idle longest", async () => {
  const { world, pool } = openPool({ maxOpen: 2 });
  const first = await pool.acquire(ana, "private", scopeFor(ana));
  const second = await pool.acquire(ben, "private", scopeFor(ben));
  second?.release();
  await world.advance(1);
  first?.release();
  await pool.acquire(cleo, "private", scopeFor(cleo));
  expect(openFor(pool)).toEqual([ana.id, cleo.id]);
});

test("without an idle cell it waits, and the limit is never exceeded", async () => {
  const { world, pool } = openPool({ maxOpen: 1 });
  const first = await pool.acquire(ana, "private", scopeFor(ana));
  const second = sitting(pool, ben);
  await world.advance(0);
  expect([second.over, openFor(pool)]).toEqual([false, [ana.id]]);
  first?.release();
  await second.sat;
  expect(openFor(pool)).toEqual([ben.id]);
});

test("agents take turns, however many rooms one of them waits in", async () => {
  const { pool } = openPool({ maxOpen: 1 });
  const first = await pool.acquire(cleo, "private", scopeFor(cleo));
  const order: string[] = [];
  const all = [ana, ana, ana, ben].map(async (agent) => {
    const scope = scopeFor(agent);
    const cellLease = await pool.acquire(agent, `room:${scope.room}`, scope);
    order.push(agent.handle);
    cellLease?.release();
  });
  await Promise.resolve();
  first?.release();
  await Promise.all(all);
  expect(order).toEqual(["ana", "ben", "ana", "ana"]);
});

test("a stopped activation leaves the queue, and no cell opens for it", async () => {
  const { pool, backend } = openPool({ maxOpen: 1 });
  const first = await pool.acquire(ana, "private", scopeFor(ana));
  const stop = new AbortController();
  const stopped = sitting(pool, ben, stop.signal);
  const next = sitting(pool, cleo);
  await Promise.resolve();
  stop.abort();
  await stopped.sat;
  expect(stopped.cellLease).toBeUndefined();
  first?.release();
  await next.sat;
  expect(backend.inmates.map(({ spec }) => spec.agent)).toEqual([ana.id, cleo.id]);
});

test("a cell that cannot open fails all its waiters and frees its slot", async () => {
  const { pool } = openPool({
    maxOpen: 1,
    play: (inmate) => (inmate.spec.agent === ben.id ? inmate.die("no memory") : sayHello(inmate)),
  });
  const first = await pool.acquire(ana, "private", scopeFor(ana));
  const failing = [0, 1].map(() => pool.acquire(ben, "private", scopeFor(ben)).catch((error: unknown) => error));
  const next = pool.acquire(cleo, "private", scopeFor(cleo));
  await Promise.resolve();
  first?.release();
  for (const failure of await Promise.all(failing)) expect(String(failure)).toContain("did not start: no memory");
  expect(await next).toBeDefined();
});

test("a cell whose backend rejects `gone` and `close` ends with an error for its activations and frees its place", async () => {
  const broken = (): Promise<never> => Promise.reject(new Error("the folder could not be removed"));
  const { pool, backend } = openPool({
    maxOpen: 1,
    adapt: (fake) => ({
      ...fake,
      async open(spec) {
        const cell = await fake.open(spec);
        return { ...cell, exited: cell.exited.then(broken), close: () => cell.close().then(broken) };
      },
    }),
  });
  for (const agent of [ana, ben]) {
    const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
    backend.inmates.at(-1)?.die("killed");
    await expect(firstFrame(cellLease)).rejects.toMatchObject({ code: "cell.lost" });
  }
  const cellLease = await pool.acquire(cleo, "private", scopeFor(cleo));
  expect(await pool.evict(cleo.id)).toBe(1);
  await expect(firstFrame(cellLease)).rejects.toMatchObject({ code: "cell.lost" });
  expect(openFor(pool)).toEqual([]);
});

test("a backend that never opens or never closes a cell loses its place at a deadline", async () => {
  const never = new Promise<never>(() => undefined);
  for (const stuck of ["open", "close"] as const) {
    const { world, pool, backend } = openPool({
      maxOpen: 1,
      adapt: (fake) => ({
        ...fake,
        async open(spec) {
          const cell = await fake.open(spec);
          if (spec.agent !== ana.id) return cell;
          return stuck === "open" ? never : { ...cell, exited: never, close: () => never };
        },
      }),
    });
    const first = pool.acquire(ana, "private", scopeFor(ana)).then(firstFrame);
    const lost = first.catch((error: unknown) => error);
    await world.advance(0);
    const next = pool.acquire(ben, "private", scopeFor(ben));
    backend.inmates[0]?.die("killed");
    await world.advance(1000);
    await world.advance(300_000);
    await world.advance(1000);
    expect(await lost).toMatchObject({ code: stuck === "open" ? "cell.unavailable" : "cell.lost" });
    expect(await next).toBeDefined();
  }
});

test("prewarming uses a free slot only", async () => {
  const { world, pool } = openPool({ maxOpen: 2 });
  const first = await pool.acquire(ana, "private", scopeFor(ana));
  pool.warm(ben, "private");
  await world.advance(0);
  pool.warm(cleo, "private");
  await world.advance(0);
  expect(openFor(pool)).toEqual([ana.id, ben.id]);
  // The prewarmed cell does not block another agent.
  await pool.acquire(cleo, "private", scopeFor(cleo));
  expect(openFor(pool)).toEqual([ana.id, cleo.id]);
  first?.release();
});

test("after a long wait, a busy cell closes once its activations are done", async () => {
  const { world, pool } = openPool({ maxOpen: 1 });
  let before = await pool.acquire(ana, "private", scopeFor(ana));
  const waiting = sitting(pool, ben);
  /** One activation of Ana's always begins before the last one ends. */
  const takeOver = async (): Promise<void> => {
    const next = sitting(pool, ana);
    await world.advance(0);
    if (next.over) {
      before?.release();
      before = next.cellLease;
    }
  };
  for (let count = 0; count < 3; count += 1) await takeOver();
  expect(waiting.over).toBe(false);
  await world.advance(RETIRE_AFTER_MS);
  await takeOver();
  before?.release();
  await waiting.sat;
  expect(openFor(pool)).toEqual([ben.id]);
});

test("a paused lease lets its cell close for the agent it waits for, and reports that", async () => {
  const { world, pool } = openPool({ maxOpen: 1 });
  const parent = await pool.acquire(ana, "private", scopeFor(ana));
  const loss = firstFrame(parent).catch((error: unknown) => error);
  const goOn = parent?.pause();
  const child = await pool.acquire(ben, "private", scopeFor(ben));
  expect(await loss).toMatchObject({ code: "cell.lost" });
  expect([parent?.wasPreempted(), child?.wasPreempted()]).toEqual([true, false]);
  goOn?.();
  parent?.release();
  const again = sitting(pool, ana);
  await world.advance(0);
  child?.release();
  await again.sat;
  expect(openFor(pool)).toEqual([ana.id]);
});

test("a resumed lease, or another active lease, keeps its cell open", async () => {
  const { world, pool } = openPool({ maxOpen: 1 });
  const one = await pool.acquire(ana, "private", scopeFor(ana));
  const two = await pool.acquire(ana, "private", scopeFor(ana));
  one?.pause()();
  two?.pause();
  const waiting = sitting(pool, ben);
  await world.advance(0);
  expect(waiting.over).toBe(false);
  one?.release();
  await waiting.sat;
  expect(two?.wasPreempted()).toBe(true);
});

test("an agent with changed limits gets a new cell, and the old one ends with its last lease", async () => {
  const { pool, backend, world } = openPool();
  const old = await pool.acquire(ana, "private", scopeFor(ana));
  const changed: AgentRecord = { ...ana, version: 2, content: { ...ana.content, limits: { processes: 32 } } };
  await pool.acquire(changed, "private", scopeFor(ana));
  expect(backend.inmates.map(({ spec }) => spec.limits.processes)).toEqual([256, 32]);
  expect(pool.list()).toHaveLength(2);
  // A caller with the old record gets the cell of the new one.
  await pool.acquire(ana, "private", scopeFor(ana));
  expect(backend.inmates).toHaveLength(2);
  old?.release();
  await world.advance(0);
  expect(pool.list().map(({ limits }) => limits.processes)).toEqual([32]);
});

test("a record change that does not concern the cell keeps the cell", async () => {
  const { pool, backend } = openPool();
  await pool.acquire(ana, "private", scopeFor(ana));
  await pool.acquire({ ...ana, version: 2, content: { ...ana.content, name: "Anna" } }, "private", scopeFor(ana));
  expect(backend.inmates).toHaveLength(1);
});

test("a cell that keeps dying is reopened with growing pauses", async () => {
  const { world, pool, backend } = openPool({
    play(inmate: FakeInmate) {
      sayHello(inmate);
      void Promise.resolve().then(() => inmate.die("it broke"));
    },
  });
  const spin = async (): Promise<void> => {
    for (;;) {
      const cellLease = await pool.acquire(ana, "private", scopeFor(ana)).catch(() => undefined);
      await firstFrame(cellLease).catch(() => undefined);
      cellLease?.release();
      if (backend.inmates.length > 50) return;
    }
  };
  void spin();
  for (let second = 0; second < 60; second += 1) await world.advance(1000);
  expect(backend.inmates.length).toBeGreaterThan(5);
  expect(backend.inmates.length).toBeLessThan(15);
});

test("a person can open a cell when a slot is free or a cell is idle, and otherwise gets the reason", async () => {
  const { pool } = openPool({ maxOpen: 1 });
  expect(await pool.open(ana, "private")).toMatchObject({ agent: ana.id, backend: "fake", activations: [] });
  expect(await pool.open(ben, "private")).toMatchObject({ agent: ben.id });
  const cellLease = await pool.acquire(ben, "private", scopeFor(ben));
  await expect(pool.open(cleo, "private")).rejects.toMatchObject({ code: "cell.unavailable" });
  cellLease?.release();
  expect(await pool.open(cleo, "private")).toMatchObject({ agent: cleo.id });
  expect(await pool.evict(cleo.id)).toBe(1);
  expect(await pool.evict(cleo.id)).toBe(0);
});

test("closing the house ends all waits and all cells", async () => {
  const { pool } = openPool({ maxOpen: 1 });
  const cellLease = await pool.acquire(ana, "private", scopeFor(ana));
  const waiting = sitting(pool, ben);
  const loss = firstFrame(cellLease).catch((error: unknown) => error);
  await pool[Symbol.asyncDispose]();
  await waiting.sat;
  expect([waiting.cellLease, pool.list()]).toEqual([undefined, []]);
  expect(await loss).toMatchObject({ code: "cell.lost" });
  pool.warm(ana, "private");
  expect(pool.list()).toEqual([]);
});

test("frames that an inmate sent before its end are read before the end is reported", async () => {
  const { agent, backend, pool } = openPool();
  const scope = scopeFor(agent);
  const cellLease = await pool.acquire(agent, "private", scope);
  backend.inmates[0]?.link.send(finish(scope));
  backend.inmates[0]?.die("it ended");
  expect(await firstFrame(cellLease)).toMatchObject({ type: "finish" });
});
