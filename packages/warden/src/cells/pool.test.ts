import { expect, test } from "bun:test";
import { DEFAULT_CELL_LIMITS, type InmateFrame } from "@hearth/protocol";
import { createFakeIds } from "../fixtures/ids.ts";
import { finish, firstFrame, openPool, scopeFor } from "../fixtures/pool.ts";
import { sayHello } from "./fake.ts";
import { ANSWER_DEADLINE_MS } from "./liveness.ts";

const ids = createFakeIds();

test("activations of one agent share a cell, and each gets its own frames", async () => {
  const { agent, backend, pool } = openPool();
  const [one, two] = [scopeFor(agent), scopeFor(agent)];
  const cellLeases = await Promise.all([pool.acquire(agent, "private", one), pool.acquire(agent, "private", two)]);
  expect(backend.inmates).toHaveLength(1);
  backend.inmates[0]?.link.send(finish(two));
  backend.inmates[0]?.link.send(finish(one));
  expect(await firstFrame(cellLeases[0])).toMatchObject({ activation: one.activation });
  expect(await firstFrame(cellLeases[1])).toMatchObject({ activation: two.activation });
});

test("a cell closes after its idle time and opens again when needed", async () => {
  const { agent, world, backend, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  cellLease?.release();
  await world.advance(999);
  expect(pool.list()).toHaveLength(1);
  await world.advance(1);
  expect(pool.list()).toHaveLength(0);
  await pool.acquire(agent, "private", scopeFor(agent));
  expect(backend.inmates).toHaveLength(2);
});

test("opening an open cell restarts its idle time", async () => {
  const { agent, world, backend, pool } = openPool();
  await pool.open(agent, "private");
  await world.advance(900);
  await pool.open(agent, "private");
  await world.advance(900);
  expect([pool.list().length, backend.inmates.length]).toEqual([1, 1]);
  await world.advance(100);
  expect(pool.list()).toHaveLength(0);
});

test("another limit of the house opens another cell at the next lease, and another idle time applies at the next rest", async () => {
  const { agent, world, backend, pool, change } = openPool();
  const first = await pool.acquire(agent, "private", scopeFor(agent));
  change({ limits: { ...DEFAULT_CELL_LIMITS, memoryMiB: 128 }, idleMs: 50 });
  const second = await pool.acquire(agent, "private", scopeFor(agent));
  expect(backend.inmates).toHaveLength(2);
  expect(pool.list().map(({ limits }) => limits.memoryMiB)).toEqual([DEFAULT_CELL_LIMITS.memoryMiB, 128]);
  first?.release();
  second?.release();
  await world.advance(50);
  expect(pool.list()).toHaveLength(0);
});

test("a cell with a lease does not become idle", async () => {
  const { agent, world, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  cellLease?.release();
  await world.advance(500);
  await pool.acquire(agent, "private", scopeFor(agent));
  await world.advance(10_000);
  expect(pool.list()).toHaveLength(1);
});

test("when a cell dies, its leases get `cell.lost` with the reason, and the next one gets a new cell", async () => {
  const { agent, world, backend, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  backend.inmates[0]?.die("it ran out of memory");
  await expect(firstFrame(cellLease)).rejects.toMatchObject({
    code: "cell.lost",
    message: "The cell ended: it ran out of memory.",
  });
  const sitting = pool.acquire(agent, "private", scopeFor(agent));
  await world.advance(200);
  await sitting;
  expect(backend.inmates).toHaveLength(2);
});

test("R17: an inmate that sends an invalid frame loses its cell", async () => {
  const { agent, backend, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  backend.inmates[0]?.link.send({ type: "finish" } as InmateFrame);
  await expect(firstFrame(cellLease)).rejects.toMatchObject({ code: "cell.lost" });
});

test("an inmate that sends a frame for another room loses its cell", async () => {
  const { agent, backend, pool } = openPool();
  const scope = scopeFor(agent);
  const cellLease = await pool.acquire(agent, "private", scope);
  backend.inmates[0]?.link.send(finish({ ...scope, room: ids("room") }));
  await expect(firstFrame(cellLease)).rejects.toMatchObject({ code: "cell.lost" });
});

test("a frame for an unknown activation is dropped", async () => {
  const { agent, backend, pool } = openPool();
  const scope = scopeFor(agent);
  const cellLease = await pool.acquire(agent, "private", scope);
  backend.inmates[0]?.link.send(finish(scopeFor(agent)));
  backend.inmates[0]?.link.send(finish(scope));
  expect(await firstFrame(cellLease)).toMatchObject({ activation: scope.activation });
});

test("an inmate that never sends hello fails to open, with the reason", async () => {
  const { agent, world, pool } = openPool({ play: () => {} });
  const refusal = pool.acquire(agent, "private", scopeFor(agent)).catch((error: unknown) => error);
  // The opening must reach its wait first.
  await world.advance(0);
  await world.advance(10_000);
  expect(await refusal).toMatchObject({ code: "cell.unavailable" });
});

test("an inmate of another version of the link is refused", async () => {
  const { agent, pool } = openPool({
    play: (inmate) => inmate.link.send({ type: "hello", id: 1, at: 0, version: 99, runtime: "old" }),
  });
  await expect(pool.acquire(agent, "private", scopeFor(agent))).rejects.toMatchObject({ code: "cell.unavailable" });
});

test("the next lease retries a failed opening", async () => {
  let count = 0;
  const { agent, world, pool } = openPool({
    play: (inmate) => {
      count += 1;
      if (count === 1) inmate.die("no memory");
      else sayHello(inmate);
    },
  });
  await expect(pool.acquire(agent, "private", scopeFor(agent))).rejects.toMatchObject({
    code: "cell.unavailable",
    message: "The cell of main (fake) did not start: no memory.",
  });
  const sitting = pool.acquire(agent, "private", scopeFor(agent));
  await world.advance(200);
  await sitting;
  expect(pool.list()).toHaveLength(1);
});

test("evicting ends the cell and its leases", async () => {
  const { agent, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  const loss = firstFrame(cellLease).catch((error: unknown) => error);
  await pool.evict(agent.id);
  expect(await loss).toMatchObject({ code: "cell.lost" });
});

test("an unused prewarmed cell closes after its idle time", async () => {
  const { agent, world, pool } = openPool();
  pool.warm(agent, "private");
  await world.advance(0);
  await world.advance(999);
  expect(pool.list()).toHaveLength(1);
  await world.advance(1);
  expect(pool.list()).toHaveLength(0);
});

test("evicting an agent whose cell is still opening closes it once it is open", async () => {
  const { agent, world, pool, backend } = openPool({ play: () => {} });
  pool.warm(agent, "private");
  await world.advance(0);
  const evicted = pool.evict(agent.id);
  const [inmate] = backend.inmates;
  if (inmate !== undefined) sayHello(inmate);
  expect(await evicted).toBe(1);
  expect(pool.list()).toHaveLength(0);
});

test("each audience of an agent has a separate cell, and evicting the agent ends all of them", async () => {
  const { agent, backend, pool } = openPool();
  await pool.acquire(agent, "private", scopeFor(agent));
  const room = scopeFor(agent);
  const cellLease = await pool.acquire(agent, `room:${room.room}`, room);
  expect(backend.inmates.map(({ spec }) => spec.audience)).toEqual(["private", `room:${room.room}`]);
  expect(pool.list().map(({ audience, activations }) => [audience, activations.length])).toEqual([
    ["private", 1],
    [`room:${room.room}`, 1],
  ]);
  backend.inmates[0]?.link.send(finish(room));
  backend.inmates[1]?.link.send(finish(room));
  expect(await firstFrame(cellLease)).toMatchObject({ activation: room.activation });
  await pool.evict(agent.id, "private");
  expect(pool.list().map(({ audience }) => audience)).toEqual([`room:${room.room}`]);
  await pool.evict(agent.id);
  expect(pool.list()).toEqual([]);
});

test("a cell has the agent's own limits, and the house's for the rest", async () => {
  const { agent, backend, pool } = openPool();
  await pool.acquire(
    { ...agent, content: { ...agent.content, limits: { processes: 32 } } },
    "private",
    scopeFor(agent),
  );
  expect(backend.inmates[0]?.spec.limits).toEqual({ ...DEFAULT_CELL_LIMITS, processes: 32 });
});

test("a cell whose process freezes is closed within the deadline, and the next activation gets a new one", async () => {
  const { agent, world, backend, pool } = openPool();
  const cellLease = await pool.acquire(agent, "private", scopeFor(agent));
  const lost = firstFrame(cellLease).catch((error: unknown) => error);
  backend.inmates[0]?.freeze();
  await world.advance(ANSWER_DEADLINE_MS);
  expect(await lost).toMatchObject({ code: "cell.lost", message: "The cell ended: it did not answer for 20 s." });
  const next = pool.acquire(agent, "private", scopeFor(agent));
  await world.advance(200);
  expect(await next).toBeDefined();
  expect(backend.inmates).toHaveLength(2);
});
