import { expect, test } from "bun:test";
import { type Check, HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createWritableCheck, DISK_RESERVE } from "./doctor.ts";
import { type CellBackend, NO_WALLS } from "../cells/backend.ts";
import { createFakeBackend } from "../cells/fake.ts";
import { createTestDisk, openTestHouse } from "../fixtures/house.ts";
import { createMemoryStore } from "../kernel/store/memory.ts";
import type { Store } from "../kernel/store/store.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

/** A store whose disk can be set to full or low. */
const createFillingStore = (): {
  store: Store;
  fill: (full: boolean) => void;
  leave: (bytes: number) => void;
  commits: () => number;
} => {
  const memory = createMemoryStore();
  let full = false;
  let spare = Infinity;
  let commits = 0;
  const store: Store = {
    ...memory,
    commit(change) {
      commits += 1;
      return full
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full.", { hint: "Make room." }))
        : memory.commit(change);
    },
    freeBytes: () => Promise.resolve(spare),
  };
  return {
    store,
    leave: (bytes) => {
      spare = bytes;
    },
    fill: (next) => {
      full = next;
    },
    commits: () => commits,
  };
};

test("a house with a full disk is not ready, and is ready again once there is space", async () => {
  const { store, fill, commits } = createFillingStore();
  const world = createFakeWorld({ hash });
  const isWritable = createWritableCheck(store, world.clock);
  expect(await isWritable()).toBe(true);
  fill(true);
  expect(await isWritable()).toBe(true);
  expect(commits()).toBe(1);
  await world.advance(1000);
  expect(await isWritable()).toBe(false);
  fill(false);
  await world.advance(1000);
  expect(await isWritable()).toBe(true);
  expect(await store.select({ table: "readers" })).toEqual([]);
});

test("a house is ready exactly while the disk has the reserve left, without delay", async () => {
  const { store, leave } = createFillingStore();
  const isWritable = createWritableCheck(store, createFakeWorld({ hash }).clock);
  for (const [bytes, ready] of [
    [DISK_RESERVE, true],
    [DISK_RESERVE - 1, false],
    [0, false],
    [DISK_RESERVE + 1, true],
  ] as const) {
    leave(bytes);
    expect(await isWritable()).toBe(ready);
  }
});

test("a house whose disk does not report its free space is not ready", async () => {
  const { store } = createFillingStore();
  const dead: Store = { ...store, freeBytes: () => Promise.reject(new HearthError("store.unavailable", "EIO")) };
  expect(await createWritableCheck(dead, createFakeWorld({ hash }).clock)()).toBe(false);
});

test("below the disk reserve every entry refuses new work with a reason, and accepted work continues", async () => {
  using disk = createTestDisk();
  const { store, leave } = createFillingStore();
  await using house = await openTestHouse({
    disk: { ...disk, store },
    // The disk runs low during the first message's turn.
    script: () => {
      leave(DISK_RESERVE - 1);
      return { text: "here" };
    },
  });
  const before = await house.post("one");
  expect((await house.until(2)).map(({ causes }) => causes)).toEqual([[], [before.id]]);
  for (const [path, body] of [
    ["/api/rooms/main/messages", { text: "two" }],
    ["/api/chat", { agentName: "main", message: "two" }],
  ] as const) {
    const { status, json } = await house.ask("POST", path, body);
    expect([status, json.error.code]).toEqual([503, "store.unavailable"]);
    expect(json.error.message).toMatch(/no new work.*disk/);
    expect(json.error.hint).toMatch(/Free space on the disk/);
  }
  expect((await house.ask("GET", "/readyz")).status).toBe(503);
  leave(Infinity);
  expect((await house.ask("POST", "/api/rooms/main/messages", { text: "three" })).status).toBe(201);
  await house.until(4);
});

test("the doctor reports the durability of accepted messages and the free disk space", async () => {
  using disk = createTestDisk();
  const { store, leave } = createFillingStore();
  const traits = { durability: "process" } as const;
  await using house = await openTestHouse({ disk: { ...disk, store: { ...store, traits } }, script: [] });
  const look = async (): Promise<unknown> => (await house.ask("GET", "/api/doctor")).json;
  expect(await look()).toContainEqual({
    name: "durability",
    ok: true,
    detail: "process: accepted messages survive a killed process, but not a power cut",
  });
  expect(await look()).toContainEqual({ name: "disk", ok: true, detail: "not used: this house is in memory" });
  leave(3.9 * 1024 * 1024);
  expect(await look()).toContainEqual(
    expect.objectContaining({ name: "disk", ok: false, detail: "3 MiB left: the house refuses new work below 16 MiB" }),
  );
  leave(64 * 1024 * 1024);
  expect(await look()).toContainEqual({ name: "disk", ok: true, detail: "64 MiB left" });
  leave(68.9 * 1024 ** 3);
  expect(await look()).toContainEqual({ name: "disk", ok: true, detail: "68 GiB left" });
});

test("the doctor reports a full disk, a bot whose model has no provider, and passing checks", async () => {
  using disk = createTestDisk();
  const { store, fill } = createFillingStore();
  const sections = '[providers.empty]\nkind = "anthropic"\napi_key = "env:NOT_SET"\n';
  await using house = await openTestHouse({ disk: { ...disk, store }, script: [], sections });
  await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "bot", model: "nobody/model" } });
  const chain = (fallback: string) => ({ kind: "bot", model: "fake/model", fallback: ["fake/other", fallback] });
  await house.ask("POST", "/api/agents", { content: { name: "Cleo", ...chain("fake/third") } });
  await house.ask("POST", "/api/agents", { content: { name: "Dora", ...chain("nobody/third") } });
  const well = (await house.ask("GET", "/api/doctor")).json;
  expect(well).toContainEqual({
    name: "agent cleo",
    ok: true,
    detail: "uses fake/model, then fake/other, fake/third",
  });
  expect(well).toContainEqual(
    expect.objectContaining({
      ...{ name: "agent dora", ok: false, detail: expect.stringContaining("nobody") },
      ...{ page: "agent", agent: "dora" },
    }),
  );
  expect(well).toContainEqual(expect.objectContaining({ name: "provider empty", ok: false, page: "models" }));
  expect(well).toContainEqual({ name: "store", ok: true, detail: "hearth.db accepts writes" });
  expect(well).toContainEqual({ name: "agent main", ok: true, detail: "uses fake/model" });
  expect(well).toContainEqual(
    expect.objectContaining({ name: "agent ben", ok: false, detail: expect.stringContaining("nobody") }),
  );
  fill(true);
  expect((await house.ask("GET", "/api/doctor")).json).toContainEqual({
    name: "store",
    ok: false,
    detail: "The disk is full.",
    fix: "Make room.",
  });
});

test("an uninstalled kind of cell is reported as absent, and an installed one as ok", async () => {
  const look = async (backend: CellBackend): Promise<unknown> => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [], backend });
    const checks: readonly Check[] = (await house.ask("GET", "/api/doctor")).json;
    return checks.find(({ name }) => name === "cell fake");
  };
  const works = createFakeBackend();
  expect(await look(works)).toEqual({ name: "cell fake", ok: true, detail: "available (no isolation)" });
  const probe = async () => ({ ok: false, why: "it is not installed", walls: NO_WALLS });
  expect(await look({ ...works, probe })).toEqual({
    ...{ name: "cell fake", ok: true, absent: true, detail: "not available: it is not installed" },
  });
});

test("the doctor names a failing background reader, and /readyz says degraded", async () => {
  using disk = createTestDisk();
  const store: Store = {
    ...disk.store,
    select: (query) =>
      query.table === "job_slots"
        ? Promise.reject(new HearthError("store.damaged", "A page of job_slots is damaged."))
        : disk.store.select(query),
  };
  await using house = await openTestHouse({ disk: { ...disk, store }, script: [] });
  const isFailing = ({ ok, name }: Check): boolean => name === "reader schedule" && !ok;
  let checks: readonly Check[] = [];
  while (!checks.some(isFailing)) checks = (await house.ask("GET", "/api/doctor")).json;
  expect(checks.find(isFailing)).toMatchObject({
    detail: expect.stringContaining("in a row, last with: A page of job_slots is damaged.; "),
    fix: expect.stringContaining("logs/hearth.log"),
  });
  expect(await house.ask("GET", "/readyz")).toMatchObject({
    status: 200,
    json: { status: "degraded", failing: ["readers"] },
  });
});

test.each([
  ["", "localhost", { ok: true, detail: "1, all at an address of the house" }],
  [
    "",
    "old.example",
    { ok: false, page: "account", detail: expect.stringMatching(/^1 of 1 do not work, .* old\.example: localhost is/) },
  ],
  [
    '[server]\npublic_url = "https://new.example"\ntrusted_proxies = ["127.0.0.1"]\n',
    "old.example",
    {
      ok: false,
      detail: expect.stringMatching(/^1 of 1 will not work after the next start, .*: localhost, new\.example/),
    },
  ],
])(
  "the doctor reports passkeys without an address of the house: %j, passkey at %s",
  async (sections, host, expected) => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: [], sections });
    const isPasskeys = ({ name }: Check): boolean => name === "passkeys";
    const look = async (): Promise<unknown> => (await house.ask("GET", "/api/doctor")).json.find(isPasskeys);
    expect(await look()).toBeUndefined();
    const { id: agent } = (await house.ask("GET", "/api/agents/main")).json;
    const row = { id: "key", agent, name: "Phone", public_key: "", counter: 0, host, created_at: 0, used_at: null };
    await disk.store.commit({ writes: [{ kind: "insert", table: "passkeys", row }] });
    expect(await look()).toMatchObject(expected);
  },
);
