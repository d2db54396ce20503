/** What a start reads before it is ready: each module costs time that somebody waits, so there are not many, and none that can come later. */
import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./source.ts";

/** A few more than there are. Look for what can be read late before this is raised. */
const MOST = 445;

/** What `hearth up` reads, one after the other. */
const ENTRIES = [
  "packages/cli/src/main.ts",
  "packages/cli/src/command-line.ts",
  "packages/cli/src/commands/up.ts",
  "packages/warden/src/adapter/bun/main.ts",
] as const;

/** What is read when it is asked for, or when the house is idle. */
const LATE = [
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
  /** Our own modules, each with the one that reads it first. */
  readonly modules: ReadonlyMap<string, string>;
  /** Packages of others, each with the module that reads it first. */
  readonly packages: ReadonlyMap<string, string>;
}

/** Follows the imports that are no types and no `import()`. */
const readStart = async (): Promise<Reading> => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const modules = new Map<string, string>(ENTRIES.map((entry) => [entry, "hearth up"]));
  const packages = new Map<string, string>();
  // A map gives what is added to it while it is gone through.
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

test("a start reads few modules", async () => {
  const { modules } = await reading;
  for (const entry of ENTRIES) expect(modules.has(entry)).toBe(true);
  const list = [...modules].map(([path, by]) => `${path}, which ${by} reads`).toSorted();
  expect(list.length > MOST ? [`${list.length} modules are more than ${MOST}:`, ...list] : []).toEqual([]);
});

test("what can be read later is not read at the start, nor through another", async () => {
  const { modules } = await reading;
  const wayTo = (path: string): string => {
    const by = modules.get(path);
    return by === undefined ? path : `${path} < ${wayTo(by)}`;
  };
  for (const path of LATE) expect(await Bun.file(join(root, path)).exists()).toBe(true);
  expect(LATE.filter((path) => modules.has(path)).map(wayTo)).toEqual([]);
});

test("of others a start reads what checks the config", async () => {
  const { packages } = await reading;
  expect([...packages.keys()].toSorted()).toEqual(["smol-toml", "zod"]);
});
