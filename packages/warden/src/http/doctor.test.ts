import { expect, test } from "bun:test";
import { HearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createWritableCheck } from "./doctor.ts";
import { createTestDisk, openTestHouse } from "../fixtures/house.ts";
import { createMemoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

/** A store whose disk fills up when it is told to. */
const createFillingStore = (): { store: Store; fill: (full: boolean) => void; commits: () => number } => {
  const memory = createMemoryStore();
  let full = false;
  let commits = 0;
  const store: Store = {
    ...memory,
    commit(change) {
      commits += 1;
      return full
        ? Promise.reject(new HearthError("store.unavailable", "The disk is full.", { hint: "Make room." }))
        : memory.commit(change);
    },
  };
  return {
    store,
    fill: (next) => {
      full = next;
    },
    commits: () => commits,
  };
};

test("a house whose disk is full is not ready, and is again once there is room", async () => {
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

test("the doctor names a full disk, a bot whose model nobody answers for, and what works", async () => {
  using disk = createTestDisk();
  const { store, fill } = createFillingStore();
  await using house = await openTestHouse({ disk: { ...disk, store }, script: [] });
  await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "bot", model: "nobody/model" } });
  const well = (await house.ask("GET", "/api/doctor")).json;
  expect(well).toContainEqual({ name: "store", ok: true, detail: "hearth.db takes writes" });
  expect(well).toContainEqual({ name: "agent main", ok: true, detail: "thinks with fake/model" });
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
