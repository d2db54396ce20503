import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backendKinds } from "@hearth/protocol";
import { createBunWorld } from "../world.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { createBunInlineBackend } from "./inline.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createProcessBackend } from "./process.ts";
import { createQemuBackend } from "./qemu/qemu.ts";
import { createBackendTable } from "./table.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const log = createFakeLog();

test("the table has every kind, with the traits of its backend", () => {
  const world = createBunWorld();
  const table = createBackendTable({ world, log, folder: "/nowhere" });
  const parts = { program: () => expect.unreachable(), clock: world.clock, log, folder: "/nowhere" };
  const real = [
    createBunInlineBackend(world.clock),
    createProcessBackend({ ...parts, randomText: () => "" }),
    createLandlockBackend(parts),
    createBubblewrapBackend(parts),
    createQemuBackend({ ...world, log, fallbackFolder: "/nowhere" }),
  ];
  expect(Object.keys(table).sort()).toEqual([...backendKinds].sort());
  for (const { kind, traits } of real) expect(table[kind as "qemu"]).toMatchObject({ kind, traits });
});

test("a backend from the table works", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-table-"));
  try {
    expect(await createBackendTable({ world: createBunWorld(), log, folder }).process?.probe()).toMatchObject({
      ok: true,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
