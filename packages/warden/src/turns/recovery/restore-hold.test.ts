import { plainRow } from "../../fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { sealerOf } from "../../kernel/audit/audit.ts";
import { createMemoryAnchor } from "../../kernel/audit/heads.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../fixtures/house.ts";
import type { Script } from "../../models/scripted/scripted.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";

const world = createBunWorld();

interface Home extends Disposable {
  /** The database file of this name, with all other files of the home as they are now. */
  disk(name: string): Promise<TestDisk & AsyncDisposable>;
  /** Copies the database, as a backup does. */
  backUp(from: string, to: string): void;
}

const createHome = (): Home => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-restore-"));
  const base = createTestDisk();
  return {
    async disk(name) {
      const database = openSqlite(join(folder, name));
      const store = await createSqliteStore({ database, clock: world.clock, sealer: sealerOf(base.audit.keys) });
      return { ...base, store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    },
    backUp(from, to) {
      using database = new Database(join(folder, from));
      database.run("vacuum into ?", [join(folder, to)]);
    },
    [Symbol.dispose]() {
      base[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const FIRST = "do the first thing";
const NEXT = "do the next thing";
const HANG: Script = () => ({ hang: true });

/**
 * A home whose database was backed up while a turn was running and a delivery was queued. The house
 * then continued, and afterwards the backup replaced its database.
 */
const restore = async (home: Home): Promise<void> => {
  await using disk = await home.disk("hearth.db");
  await using house = await openTestHouse({ disk, script: HANG });
  await house.post(FIRST);
  await until(async () => house.model.requests.length === 1);
  const delivery = plainRow("outbox", {
    ...{ id: `out_${"0".repeat(26)}`, channel: "tele", conversation: "c1", place: 1, room: null, event: null },
    ...{
      body: "hello",
      reply_to: null,
      choices: null,
      ends: null,
      file: null,
      spoken: 0,
      state: "queued",
      attempts: 0,
      not_before: 0,
    },
    ...{ external: null, error: null, created_at: 1, ended_at: null },
  });
  await disk.store.commit({ writes: [{ kind: "insert", table: "outbox", row: delivery }] });
  home.backUp("hearth.db", "backup.db");
  // Extends the audit log, and its anchor with it.
  expect((await house.ask("POST", "/api/rooms", { content: { name: "Later" } })).status).toBe(201);
};

const open = (disk: TestDisk, script: Script = [{ text: "done" }]): Promise<TestHouse> =>
  openTestHouse({ disk, script });

describe("R24: a house whose database is older than its audit anchor", () => {
  test("runs nothing and accepts no work, but serves reads and reports the reason", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    await using house = await open(disk);
    expect(house.warden.isOnHold()).toBe(true);
    expect(await house.ask("POST", "/api/rooms/main/messages", { text: NEXT })).toMatchObject({
      status: 503,
      json: { error: { code: "house.on-hold" } },
    });
    expect(await house.ask("GET", "/readyz")).toEqual({ status: 503, json: { status: "on hold" } });
    expect((await house.ask("GET", "/api/me")).json).toMatchObject({ onHold: true });
    expect((await house.messages()).map(({ body }) => body.text)).toEqual([FIRST]);
    const { json: checks } = await house.ask("GET", "/api/doctor");
    expect(checks).toContainEqual(
      expect.objectContaining({
        ...{ name: "restore", ok: false, page: "restore" },
        fix: expect.stringContaining("hearth restore show"),
      }),
    );
    expect(house.logLines.join("\n")).toContain("the house is on hold");
    expect(house.model.requests).toHaveLength(0);
  });

  test("lists the work that it would repeat", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    await using house = await open(disk);
    const { json } = await house.ask("GET", "/api/restore");
    expect(json).toMatchObject({
      onHold: true,
      findings: [{ kind: "behind" }],
      work: { activations: [{ state: expect.stringMatching(/queued|running/) }], deliveries: [{ channel: "tele" }] },
    });
  });

  test("stays on hold at the next start", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    await (await open(disk))[Symbol.asyncDispose]();
    await using house = await open(disk);
    expect(house.warden.isOnHold()).toBe(true);
    expect(house.model.requests).toHaveLength(0);
  });

  test("runs the queued work after `continue`, and no later start is on hold", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    {
      await using house = await open(disk);
      const { status, json } = await house.ask("POST", "/api/restore", { decision: "continue" });
      expect([status, json.onHold]).toEqual([200, false]);
      const [, reply] = await house.until(2);
      expect(reply?.body.text).toBe("done");
      const rows = await disk.store.select({ table: "events", where: { type: "restore" } });
      expect(rows.map(({ body }) => JSON.parse(body ?? ""))).toMatchObject([
        { change: "added", kind: "behind" },
        { change: "changed", decision: "continue", by: expect.stringMatching(/^agent_/) },
      ]);
    }
    await using again = await open(disk);
    expect(again.warden.isOnHold()).toBe(false);
  });

  test("ends the queued work after `discard`, and answers later messages", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    await using house = await open(disk);
    expect((await house.ask("POST", "/api/restore", { decision: "discard" })).status).toBe(200);
    const [first] = (await house.ask("GET", "/api/agents/main/activations")).json;
    expect(first).toMatchObject({ state: "stopped" });
    expect(await disk.store.select({ table: "outbox" })).toMatchObject([{ state: "refused" }]);
    expect(house.model.requests).toHaveLength(0);
    await house.post(NEXT);
    await until(async () => (await house.messages()).some(({ body }) => body.text === "done"));
    expect(house.model.requests).toHaveLength(1);
  });

  test("accepts one decision, from a person of the first house", async () => {
    using home = createHome();
    await restore(home);
    await using disk = await home.disk("backup.db");
    await using house = await open(disk);
    expect((await house.ask("POST", "/api/restore", { decision: "perhaps" })).status).toBe(400);
    expect((await house.ask("POST", "/api/restore", { decision: "continue" }, "no key")).status).toBe(401);
    expect((await house.ask("POST", "/api/restore", { decision: "continue" })).status).toBe(200);
    expect((await house.ask("POST", "/api/restore", { decision: "continue" })).status).toBe(409);
  });
});

test("a house that lost its anchor is on hold, at every start until its owner decides", async () => {
  using home = createHome();
  await using disk = await home.disk("hearth.db");
  const { clock } = world;
  for (const agoMs of [60 * 60_000, 0]) {
    const earlier = { ...world, clock: { ...clock, now: () => clock.now() - agoMs } };
    await (await openTestHouse({ disk, script: [], world: earlier }))[Symbol.asyncDispose]();
  }
  const lost: TestDisk = { ...disk, audit: { ...disk.audit, anchor: createMemoryAnchor() } };
  for (let start = 0; start < 2; start += 1) {
    await using house = await open(lost);
    expect(house.warden.isOnHold()).toBe(true);
    expect((await house.ask("GET", "/api/restore")).json.findings).toMatchObject([{ kind: "no-anchor" }]);
  }
});

test("a house whose newest message has lost its body is on hold, and names the body", async () => {
  using home = createHome();
  await using disk = await home.disk("hearth.db");
  {
    await using house = await open(disk, [{ text: "done" }]);
    await house.post("long ".repeat(5000));
    await house.until(2);
  }
  const [event] = (await disk.store.select({ table: "events" })).filter(({ blob }) => blob !== null);
  await using house = await open({ ...disk, blobs: createMemoryBlobs(world.hash) });
  expect(house.warden.isOnHold()).toBe(true);
  const { json } = await house.ask("GET", "/api/restore");
  expect(json.findings).toMatchObject([
    {
      kind: "missing-blobs",
      detail: expect.stringContaining(`${event?.stream} ${event?.offset} (blobs/${event?.blob})`),
    },
  ]);
});

test("a house that was closed or killed is not on hold", async () => {
  using home = createHome();
  await using disk = await home.disk("hearth.db");
  for (let start = 0; start < 3; start += 1) {
    await using house = await open(disk, HANG);
    expect(house.warden.isOnHold()).toBe(false);
    await house.post(FIRST);
  }
});
