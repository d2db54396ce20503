/**
 * Limits the modules that a start loads, because each one delays it, and forbids modules that can
 * be loaded later.
 */
import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./source.ts";

/** A few more than at present. Before you raise it, look for modules that can be loaded later. */
const MOST = 445;

/** The entry points of `hearth up`, in order. */
const ENTRIES = [
  "packages/cli/src/main.ts",
  "packages/cli/src/command-line.ts",
  "packages/cli/src/commands/up.ts",
  "packages/warden/src/adapter/bun/main.ts",
] as const;

/** Modules that are loaded on first use, or when the house is idle. */
const LATE = [
  "packages/protocol/src/house/api.ts",
  "packages/warden/src/turns/run/activation-run.ts",
  "packages/warden/src/cells/egress/egress.ts",
  "packages/warden/src/http/api.ts",
  "packages/warden/src/http/app.ts",
  "packages/warden/src/cells/model-door/model-door.ts",
  "packages/warden/src/models/wires/anthropic.ts",
  "packages/warden/src/models/wires/openai.ts",
  "packages/warden/src/agents/search/index.ts",
  "packages/warden/src/kernel/streams/own-streams.ts",
  "packages/warden/src/agents/tools/index.ts",
] as const;

interface Reading {
  /** Our own modules, each with its first importer. */
  readonly modules: ReadonlyMap<string, string>;
  /** Dependencies, each with its first importer. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Follows static imports of values. */
const readStart = async (): Promise<Reading> => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const modules = new Map<string, string>(ENTRIES.map((entry) => [entry, "hearth up"]));
  const packages = new Map<string, string>();
  // Iteration of a map includes entries that are added meanwhile.
  for (const path of modules.keys()) {
    const folder = dirname(join(root, path));
    for (const found of transpiler.scanImports(await Bun.file(join(root, path)).text())) {
      if (found.kind !== "import-statement" || /^(bun|node:.+|bun:.+)$/.test(found.path)) continue;
      const imported = relative(root, realpathSync(Bun.resolveSync(found.path, folder)));
      const seen = imported.includes("node_modules") ? packages : modules;
      const name = seen === packages ? found.path : imported;
      if (!seen.has(name)) seen.set(name, path);
    }
  }
  return { modules, packages };
};

const reading = readStart();

test("a start loads few modules", async () => {
  const { modules } = await reading;
  for (const entry of ENTRIES) expect(modules.has(entry)).toBe(true);
  const list = [...modules].map(([path, by]) => `${path}, imported by ${by}`).toSorted();
  expect(list.length > MOST ? [`${list.length} modules are more than ${MOST}:`, ...list] : []).toEqual([]);
});

test("lazy modules are not loaded at the start, directly or indirectly", async () => {
  const { modules } = await reading;
  const chainTo = (path: string): string => {
    const by = modules.get(path);
    return by === undefined ? path : `${path} < ${chainTo(by)}`;
  };
  for (const path of LATE) expect(await Bun.file(join(root, path)).exists()).toBe(true);
  expect(LATE.filter((path) => modules.has(path)).map(chainTo)).toEqual([]);
});

test("a start loads no dependencies except those that check the config", async () => {
  const { packages } = await reading;
  expect([...packages.keys()].toSorted()).toEqual(["smol-toml", "zod"]);
});
