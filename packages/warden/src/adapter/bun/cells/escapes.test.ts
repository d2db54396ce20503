import { afterAll, describe, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { type PromisedWalls, promisedWalls } from "@hearth/testing/cells";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { type EscapesOptions, escapesConformance, tryEscapes } from "../../../cells/escapes.conformance.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createProcessBackend } from "./process.ts";
import { createQemuBackend } from "./qemu/qemu.ts";
import { machineHere } from "./trial.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";

const folder = `${tmpdir()}/hearth-escapes-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = createBunClock();
const common = { program: createInmateProgram(folder), clock, log: createFakeLog(), folder };
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const machine = machineHere();
const open = createProcessBackend({ ...common, randomText: () => crypto.randomUUID() });
const kinds: readonly { readonly promised: PromisedWalls; readonly options: EscapesOptions }[] = [
  {
    promised: promisedWalls.bubblewrap,
    options: { backend: createBubblewrapBackend(common), machine, brainAt: "own", world: "host" },
  },
  {
    promised: promisedWalls.landlock,
    options: { backend: createLandlockBackend(common), machine, brainAt: "host", world: "host" },
  },
  {
    promised: promisedWalls.qemu,
    options: {
      backend: createQemuBackend({ clock, log: createFakeLog(), random }),
      machine,
      brainAt: "own",
      world: "machine",
    },
  },
];

const shown = tryEscapes({ backend: open, machine, brainAt: "host", world: "host" });
await Promise.all(kinds.map(({ options }) => escapesConformance(options, shown)));

describe.each(kinds)("the promised walls", ({ promised, options: { backend } }) => {
  test(`of ${backend.kind} hold here: all that always hold, and no others`, async () => {
    const { ok, walls } = await backend.probe();
    if (!ok) return expect(walls.size).toBe(0);
    const always = Object.entries(promised).filter(([, when]) => when === "always");
    expect([...walls]).toEqual(expect.arrayContaining(always.map(([wall]) => wall)));
    expect(Object.keys(promised)).toEqual(expect.arrayContaining([...walls]));
  });
});
