import { expect, test } from "bun:test";
import type { AgentRecord, FrameScope, InmateFrame } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createFakeIds } from "../fixtures/ids.ts";
import { createFakeLog } from "../observe/log.ts";
import { createFakeBackend, type FakeBackend, type FakeInmate, sayHello } from "./fake.ts";
import { createPool, type Pool, type Seat } from "./pool.ts";

const ids = createFakeIds();
const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const agent: AgentRecord = {
  type: "agent",
  id: ids("agent"),
  house: ids("house"),
  handle: "main",
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  content: { name: "Main", kind: "bot" },
};
const scopeOf = (): FrameScope => ({
  agent: agent.id,
  room: ids("room"),
  person: ids("agent"),
  session: ids("ses"),
  activation: ids("act"),
});

const open = (play?: (inmate: FakeInmate) => void): { world: FakeWorld; backend: FakeBackend; pool: Pool } => {
  const world = createFakeWorld({ hash });
  const backend = createFakeBackend(play);
  const pool = createPool({
    clock: world.clock,
    log: createFakeLog(),
    backends: { inline: backend, process: backend },
    auto: "process",
    idleMs: 1000,
    workspaceOf: async () => "/workspace",
  });
  return { world, backend, pool };
};
const finish = (scope: FrameScope): InmateFrame => ({
  type: "finish",
  ...scope,
  id: 9,
  at: 0,
  outcome: { kind: "reply", text: "done" },
});
const first = async (seat: Seat): Promise<InmateFrame | undefined> => {
  for await (const frame of seat.frames) return frame;
  return undefined;
};

test("activations of one agent share a cell, and each gets its own frames", async () => {
  const { backend, pool } = open();
  const [one, two] = [scopeOf(), scopeOf()];
  const seats = await Promise.all([pool.sit(agent, one), pool.sit(agent, two)]);
  expect(backend.inmates).toHaveLength(1);
  backend.inmates[0]?.link.send(finish(two));
  backend.inmates[0]?.link.send(finish(one));
  expect(await first(seats[0])).toMatchObject({ activation: one.activation });
  expect(await first(seats[1])).toMatchObject({ activation: two.activation });
});

test("a cell rests after its idle time and opens again when it is needed", async () => {
  const { world, backend, pool } = open();
  const seat = await pool.sit(agent, scopeOf());
  seat.leave();
  await world.advance(999);
  expect(pool.list()).toHaveLength(1);
  await world.advance(1);
  expect(pool.list()).toHaveLength(0);
  await pool.sit(agent, scopeOf());
  expect(backend.inmates).toHaveLength(2);
});

test("a cell with someone in it does not rest", async () => {
  const { world, pool } = open();
  const seat = await pool.sit(agent, scopeOf());
  seat.leave();
  await world.advance(500);
  await pool.sit(agent, scopeOf());
  await world.advance(10_000);
  expect(pool.list()).toHaveLength(1);
});

test("when a cell dies everyone in it learns cell.lost with the reason, and the next one gets a new cell", async () => {
  const { backend, pool } = open();
  const seat = await pool.sit(agent, scopeOf());
  backend.inmates[0]?.die("it ran out of memory");
  await expect(first(seat)).rejects.toMatchObject({
    code: "cell.lost",
    message: "The cell went away: it ran out of memory.",
  });
  await Promise.resolve();
  await pool.sit(agent, scopeOf());
  expect(backend.inmates).toHaveLength(2);
});

test("an inmate that sends what is no frame loses its cell", async () => {
  const { backend, pool } = open();
  const seat = await pool.sit(agent, scopeOf());
  backend.inmates[0]?.link.send({ type: "finish" } as InmateFrame);
  await expect(first(seat)).rejects.toMatchObject({ code: "cell.lost" });
});

test("an inmate that speaks for another room loses its cell", async () => {
  const { backend, pool } = open();
  const scope = scopeOf();
  const seat = await pool.sit(agent, scope);
  backend.inmates[0]?.link.send(finish({ ...scope, room: ids("room") }));
  await expect(first(seat)).rejects.toMatchObject({ code: "cell.lost" });
});

test("a frame for an activation that is not there reaches nobody", async () => {
  const { backend, pool } = open();
  const scope = scopeOf();
  const seat = await pool.sit(agent, scope);
  backend.inmates[0]?.link.send(finish(scopeOf()));
  backend.inmates[0]?.link.send(finish(scope));
  expect(await first(seat)).toMatchObject({ activation: scope.activation });
});

test("an inmate that never says hello is given up, with the reason", async () => {
  const { world, pool } = open(() => {});
  const refusal = pool.sit(agent, scopeOf()).catch((error: unknown) => error);
  // The opening has to get as far as its waiting first.
  await world.advance(0);
  await world.advance(10_000);
  expect(await refusal).toMatchObject({ code: "cell.unavailable" });
});

test("an inmate of another version of the link is refused", async () => {
  const { pool } = open((inmate) => inmate.link.send({ type: "hello", id: 1, at: 0, version: 99, runtime: "old" }));
  await expect(pool.sit(agent, scopeOf())).rejects.toMatchObject({ code: "cell.unavailable" });
});

test("a failed opening is tried anew by the next one", async () => {
  let count = 0;
  const { pool } = open((inmate) => {
    count += 1;
    if (count === 1) inmate.die("no memory");
    else sayHello(inmate);
  });
  await expect(pool.sit(agent, scopeOf())).rejects.toMatchObject({
    code: "cell.unavailable",
    message: "The cell of main (fake) did not start: no memory.",
  });
  await Bun.sleep(0);
  await pool.sit(agent, scopeOf());
  expect(pool.list()).toHaveLength(1);
});

test("evicting ends the cell under whoever sits there", async () => {
  const { pool } = open();
  const seat = await pool.sit(agent, scopeOf());
  const loss = first(seat).catch((error: unknown) => error);
  await pool.evict(agent.id);
  expect(await loss).toMatchObject({ code: "cell.lost" });
});

test("a cell that was warmed for someone who never came rests too", async () => {
  const { world, pool } = open();
  pool.warm(agent);
  await world.advance(0);
  await world.advance(999);
  expect(pool.list()).toHaveLength(1);
  await world.advance(1);
  expect(pool.list()).toHaveLength(0);
});

test("evicting an agent whose cell is still opening closes it once it is open", async () => {
  const { world, pool, backend } = open();
  pool.warm(agent);
  await pool.evict(agent.id);
  await world.advance(0);
  expect(backend.inmates).toHaveLength(1);
  expect(pool.list()).toHaveLength(0);
});
