import { describe, expect, test } from "bun:test";
import { type BackendKind, isHearthError, type Wall } from "@hearth/protocol";
import type { CellBackend } from "./backend.ts";
import { createBackends, createIsIsolated } from "./backends.ts";

interface Told {
  readonly kind: BackendKind;
  readonly missing?: string;
  readonly walls?: readonly Wall[];
}

/** A house with these backends, which counts the probes of each. */
const open = (...told: readonly Told[]) => {
  const asked: string[] = [];
  const table = Object.fromEntries(
    told.map(({ kind, missing, walls = [] }): [BackendKind, CellBackend] => [
      kind,
      {
        kind,
        traits: { isolation: "none", snapshots: false },
        async probe() {
          asked.push(kind);
          return missing === undefined
            ? { ok: true, walls: new Set(walls) }
            : { ok: false, why: missing, walls: new Set() };
        },
        open: () => expect.unreachable(),
      },
    ]),
  );
  return { asked, backends: createBackends(table) };
};

const all: readonly Told[] = [
  { kind: "inline" },
  { kind: "process" },
  { kind: "landlock", walls: ["fs"] },
  { kind: "bubblewrap", walls: ["fs", "net"] },
  { kind: "qemu", walls: ["fs", "net", "kernel"] },
];
const without = (...missing: readonly BackendKind[]): readonly Told[] =>
  all.map((each) => (missing.includes(each.kind) ? { ...each, missing: `no ${each.kind}` } : each));

describe("a kind of cell", () => {
  test.each([
    ["auto", [], "bubblewrap"],
    ["auto", ["bubblewrap"], "landlock"],
    ["auto", ["bubblewrap", "landlock"], "process"],
    ["strongest", [], "qemu"],
    ["strongest", ["qemu"], "bubblewrap"],
    ["strongest", ["qemu", "bubblewrap"], "landlock"],
    ["inline", [], "inline"],
    ["qemu", [], "qemu"],
  ] as const)("%s, where %p are missing, means %s", async (kind, missing, means) => {
    expect((await open(...without(...missing)).backends.choose(kind)).backend.kind).toBe(means);
  });

  test.each([
    [
      "strongest",
      ["qemu", "bubblewrap", "landlock"],
      "qemu: no qemu · bubblewrap: no bubblewrap · landlock: no landlock",
    ],
    ["landlock", ["landlock"], "landlock: no landlock"],
    ["auto", ["bubblewrap", "landlock", "process"], "process: no process"],
  ] as const)(
    "%s that is missing is refused with what is missing, and nothing takes its place",
    async (kind, missing, why) => {
      const error = await open(...without(...missing))
        .backends.choose(kind)
        .catch((refusal: unknown) => refusal);
      expect(isHearthError(error, "cell.unavailable") && error.message).toContain(why);
    },
  );

  test("is probed once, and preferred kinds are probed only as needed", async () => {
    const { asked, backends } = open(...all);
    await Promise.all([backends.choose("auto"), backends.choose("auto"), backends.choose("bubblewrap")]);
    expect(asked).toEqual(["bubblewrap"]);
    await backends.examine();
    expect(asked.slice(1)).toEqual(["inline", "process", "landlock", "bubblewrap", "qemu"]);
  });
});

test("an agent has walls when its cell has both the `fs` and the `net` wall", async () => {
  const { backends } = open(...all);
  const isIsolated = createIsIsolated(backends, () => "process");
  const of = (cell?: BackendKind) => isIsolated({ content: cell === undefined ? {} : { cell } } as never);
  expect([await of(), await of("landlock"), await of("bubblewrap"), await of("qemu")]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(await createIsIsolated(open(...without("qemu")).backends, () => "qemu")({ content: {} } as never)).toBe(false);
});
