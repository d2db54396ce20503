/** Tests of the random mutants: mutations, selection, choice of tests and judgement. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@hearth/protocol/until";
import { isAlive } from "../journeys/daemon.ts";
import { root } from "../house/source.ts";
import { ALL_AREAS, areaOf, AREAS, chooseSites } from "./choice.ts";
import { makeCopy, readFailure, type TestOutcome } from "./copy.ts";
import { createBaseline, createJudge, type Fate } from "./judge.ts";
import { readImporters, testsNear } from "./near.ts";
import { findSites, isFit, isProduction, mutate, type Site } from "./sites.ts";
import { createTypeCheck } from "./types.ts";

const FILE = "packages/warden/src/policy/limit.ts";
const TEXT = `
const ALLOWED = new Set(["read", "list", "write"]);
export const limit = async (count: number, log: { write(text: string): void }, save: () => Promise<void>) => {
  if (count > 10) return false;
  log.write(count > 3 ? "many" : "few");
  if (count > 4) log.write("more");
  if (count < 0) throw new Error(count < -5 ? "far too few" : "too few");
  await save();
  await save().catch(() => {});
  return ALLOWED.has("read") && count + 1 < 12;
};
export const sorted = (all: readonly number[]) => all.toSorted((one, other) => (one < other ? -1 : 1));
export const smaller = (one: number, other: number) => (one < other ? one : other);
`;
const TREE: Readonly<Record<string, string>> = {
  [FILE]: TEXT,
  "packages/warden/package.json": '{ "name": "@hearth/warden", "exports": { ".": "./src/warden.ts" } }',
  "packages/warden/src/policy/limit.test.ts": 'import { limit } from "./limit.ts";\nlimit;\n',
  "packages/warden/src/policy/types.test.ts": 'import type { limit } from "./limit.ts";\n',
  "packages/warden/src/policy/house.test.ts": 'import { limit } from "./limit.ts";\nlimit;\n',
  "packages/warden/src/fixtures/house.ts": 'import "../warden.ts";\n',
  "packages/warden/src/warden.ts": 'import { limit } from "./policy/limit.ts";\nlimit;\n',
  "packages/warden/src/warden.test.ts": 'import "./fixtures/house.ts";\n',
  "packages/cli/src/run.test.ts": 'import "@hearth/warden";\n',
  "packages/cli/src/main.ts": 'import "../../ui/src/button.tsx";\nawait import("../../warden/src/warden.ts");\n',
  "packages/ui/src/button.tsx": "export const label = 1;\n",
  "tests/browser/pages.test.ts": 'import { LAUNCHER } from "../journeys/daemon.ts";\nconsole.log(LAUNCHER);\n',
  "packages/ui/src/row.tsx": `
declare global {
  namespace JSX {
    interface IntrinsicElements {
      [name: string]: object;
    }
  }
}
declare const classes: (...names: readonly (string | false)[]) => string;
export const Row = ({ isOpen, isNew }: { isOpen: boolean; isNew: boolean }) => (
  <p className={isOpen ? "open" : "closed"} hidden={isOpen && isNew}>
    <b className={classes("name", isOpen && "open")}>{isOpen ? "open" : "closed"}</b>
  </p>
);
`,
  "packages/ui/src/page.ts": "export const width = 1;\n",
  "tsconfig.json":
    '{ "compilerOptions": { "strict": true, "noEmit": true, "allowImportingTsExtensions": true, "target": "ESNext", "module": "ESNext", "moduleResolution": "bundler", "jsx": "preserve", "types": [] } }',
  "tsconfig.ui.json": '{ "extends": "./tsconfig.json" }',
  "packages/cli/src/process.test.ts": 'const MAIN = `${import.meta.dir}/${"main.ts"}`;\nconsole.log(MAIN);\n',
  "packages/cli/src/talk.test.ts": "// main.ts\nexport {};\n",
  hearth: "exec bun packages/cli/src/main.ts\n",
  "tests/journeys/daemon.ts": 'export const LAUNCHER = new URL("../../hearth", import.meta.url);\n',
  "tests/journeys/talks.test.ts": 'import { LAUNCHER } from "./daemon.ts";\nconsole.log(LAUNCHER);\n',
  "packages/cli/src/other.test.ts": 'import "./other.ts";\n',
  "packages/warden/src/adapter/bun/cells/limits.ts": "export const most = 1;\n",
  "packages/warden/src/adapter/bun/cells/limits.test.ts": 'import "./limits.ts";\n',
  "packages/warden/src/adapter/bun/cells/qemu/qemu.test.ts": 'import "../limits.ts";\n',
  "packages/warden/src/adapter/bun/cells/process.test.ts": 'import "./limits.ts";\n',
  "packages/cli/src/limits.test.ts": 'import "../../warden/src/adapter/bun/cells/limits.ts";\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-mutants-test-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"));
  for (const [path, text] of Object.entries(TREE)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const siteAt = (start: number, to = "x"): Site => ({
  ...{ path: `packages/warden/src/policy/${start % 7}.ts`, line: start, operator: "flip" },
  ...{ start, end: start + 1, from: "a", to },
});

test("a mutant changes decisions, but no text for people, no comparison for sorting and no type", async () => {
  const sites = await findSites(folder, ["packages"]);
  const changes = sites
    .filter(({ path }) => path === FILE)
    .map(({ operator, from, to }) => `${operator}: ${from} => ${to}`);
  expect(changes).toEqual([
    'drop-element: "read",  => ',
    'drop-element: , "write" => ',
    "negate: count > 10 => !(count > 10)",
    "drop-guard: count > 10 => false",
    "boundary: > => >=",
    "flip: false => true",
    "negate: count < 0 => !(count < 0)",
    "drop-guard: count < 0 => false",
    "boundary: < => <=",
    "drop-call: await save(); => ;",
    "drop-await: await save().catch(() => {}) => save().catch(() => {})",
    "drop-call: await save().catch(() => {}); => ;",
    'negate: ALLOWED.has("read") && count + 1 < 12 => !(ALLOWED.has("read") && count + 1 < 12)',
    'drop-operand: ALLOWED.has("read") && count + 1 < 12 => ALLOWED.has("read")',
    'drop-operand: ALLOWED.has("read") && count + 1 < 12 => count + 1 < 12',
    "swap-logical: && => ||",
    "boundary: + 1 => ",
    "boundary: < => <=",
    "negate: one < other => !(one < other)",
    "negate: one < other => !(one < other)",
  ]);
  for (const site of sites.filter(({ path }) => path === FILE)) expect(isFit(FILE, TEXT, site)).toBe(true);
});

test("a mutant changes no choice of a class name, but what a page shows and does", async () => {
  const changes = (await findSites(folder, ["packages"]))
    .filter(({ path }) => path === "packages/ui/src/row.tsx")
    .map(({ operator, from, to }) => `${operator}: ${from} => ${to}`);
  expect(changes).toEqual([
    "drop-operand: isOpen && isNew => isNew",
    "drop-operand: isOpen && isNew => isOpen",
    "swap-logical: && => ||",
    "negate: isOpen => !(isOpen)",
  ]);
});

test("a fit mutant parses and changes the program; others are omitted", () => {
  const whole = { ...siteAt(0), path: FILE, end: 7 };
  expect(mutate("a === b", { ...whole, to: "a !== b" })).toBe("a !== b");
  expect(isFit(FILE, "a === b", { ...whole, to: "a !==" })).toBe(false);
  expect(isFit(FILE, "a === b", { ...whole, to: "(a === b)" })).toBe(false);
});

test("`isProduction` excludes tests, fixtures and fakes", () => {
  const paths = ["x.ts", "x.test.ts", "x.conformance.ts", "fixtures/x.ts", "fake-x.ts", "x-fake.ts", "x.d.ts"];
  expect(paths.filter((path) => isProduction(`packages/warden/src/${path}`))).toEqual(["x.ts"]);
});

/** One folder of each area, in the order of `ALL_AREAS`. */
const FOLDERS = ["kernel/store", "policy", "people", "cells/egress", "policy/secrets", "turns"];

test("an area's folders exist and contain production code, and the longest prefix decides", async () => {
  const empty = Object.values(AREAS)
    .flat()
    .filter((prefix) => ![...new Bun.Glob(`${prefix}**/*.ts`).scanSync({ cwd: root })].some(isProduction));
  expect(empty).toEqual([]);
  expect(FOLDERS.map((name) => areaOf(`packages/warden/src/${name}/x.ts`))).toEqual([...ALL_AREAS]);
});

describe("a choice", () => {
  const sites = Array.from({ length: 400 }, (_, start) => ({
    ...siteAt(start),
    path: `packages/warden/src/${FOLDERS[start % FOLDERS.length]}/x.ts`,
  }));
  const isFit = (): boolean => true;
  const compiling = async (all: readonly Site[]): Promise<ReadonlySet<Site>> => new Set(all);
  const choose = (seed: number, areas = ALL_AREAS, count = 12) =>
    chooseSites({ sites, seed, areas, count, isFit, compiling });

  test("is equal for equal seeds and differs for others", async () => {
    expect(await choose(1)).toEqual(await choose(1));
    expect(await choose(1)).not.toEqual(await choose(2));
  });

  test("takes equally many mutants from each area, in turns", async () => {
    expect((await choose(1)).map(({ path }) => areaOf(path))).toEqual([...ALL_AREAS, ...ALL_AREAS]);
  });

  test("of one area equals the choice of all areas in that area", async () => {
    const inPolicy = (await choose(1)).filter(({ path }) => areaOf(path) === "policy");
    expect(await choose(1, ["policy"], 2)).toEqual(inPolicy);
  });

  test("takes no line twice and no unfit site", async () => {
    const lines = Array.from({ length: 30 }, (_, start) => ({ ...siteAt(start), path: FILE, line: start % 3 }));
    const isFit = ({ line }: Site): boolean => line > 0;
    const chosen = await chooseSites({ sites: lines, seed: 1, areas: ["policy"], count: 30, isFit, compiling });
    expect(chosen.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test("replaces mutants that do not compile, and keeps the order of the others", async () => {
    const compiles = ({ line }: Site): boolean => line % 4 > 0;
    const all = await choose(1, ["policy"], 400);
    const chosen = await chooseSites({
      ...{ sites, seed: 1, areas: ["policy"], count: 30, isFit },
      compiling: async (some) => new Set(some.filter(compiles)),
    });
    expect(chosen).toEqual(all.filter(compiles).slice(0, 30));
  });
});

describe("a type check", () => {
  /** A copy in which mutants with the text `wrong` have type errors. */
  const checkWith = (original: string) => {
    const texts = new Map<string, string>();
    const state = { rounds: 0, mutants: 0 };
    const check = createTypeCheck(
      {
        put: async (path, text) => {
          state.mutants += 1;
          texts.set(path, text);
          return async () => void texts.delete(path);
        },
        async mistyped() {
          state.rounds += 1;
          const wrong = [...texts].filter(([, text]) => text === "wrong").map(([path]) => path);
          return new Set([...wrong, ...(original === "wrong" ? ["x.ts"] : [])]);
        },
      },
      async () => "a",
    );
    return { check, state, texts };
  };
  const at = (path: string, to: string): Site => ({ ...siteAt(0, to), path });

  test("returns the mutants without type errors, one per file in each round", async () => {
    const { check, state, texts } = checkWith("right");
    const sites = [at("a.ts", "wrong"), at("a.ts", "right"), at("b.ts", "right"), at("c.ts", "wrong")];
    const compiling = await check(sites);
    expect(sites.filter((site) => compiling.has(site))).toEqual(sites.slice(1, 3));
    // The first round checks the originals.
    expect(state).toEqual({ rounds: 3, mutants: 4 });
    expect(texts.size).toBe(0);
  });

  test("refuses originals with type errors", async () => {
    await expect(checkWith("wrong").check([at("a.ts", "right")])).rejects.toThrow("run npm run check: x.ts");
  });
});

test("`testsNear` returns the tests that load a file, nearest first, without those that import only its types", async () => {
  expect(testsNear(await readImporters(folder), FILE)).toEqual([
    "packages/warden/src/policy/limit.test.ts",
    "packages/warden/src/policy/house.test.ts",
    "packages/cli/src/run.test.ts",
    "packages/cli/src/process.test.ts",
    "packages/warden/src/warden.test.ts",
    "tests/browser/pages.test.ts",
    "tests/journeys/talks.test.ts",
  ]);
});

test("`readImporters` reads this repository, with the imports that run during a build", async () => {
  const importers = await readImporters(root);
  const words = "packages/protocol/src/tools/words.ts";
  expect([...(importers.get(words) ?? [])]).toContain("packages/ui/src/language/text.ts");
  // The tests of the UI in a browser load its parts through the page that the build names.
  const [nearest] = testsNear(importers, "packages/ui/src/login/password-form.tsx").filter(
    (path) => !path.startsWith("packages/"),
  );
  expect(nearest).toStartWith("tests/browser/");
});

test("`testsNear` returns browser tests of a page before the tests that only load it", async () => {
  expect(testsNear(await readImporters(folder), "packages/ui/src/button.tsx")).toEqual([
    "tests/browser/pages.test.ts",
    "packages/cli/src/process.test.ts",
    "tests/journeys/talks.test.ts",
  ]);
});

test("`testsNear` returns a slow test of the file itself, and no slow test of other files", async () => {
  expect(testsNear(await readImporters(folder), "packages/warden/src/adapter/bun/cells/limits.ts")).toEqual([
    "packages/warden/src/adapter/bun/cells/limits.test.ts",
    "packages/warden/src/adapter/bun/cells/process.test.ts",
    "packages/cli/src/limits.test.ts",
  ]);
});

describe("a judge", () => {
  /** `mutant` and `sound`: the outcomes of successive runs with and without the mutant. Further runs pass. */
  interface Runs {
    readonly mutant?: readonly TestOutcome[];
    readonly sound?: readonly TestOutcome[];
    readonly files?: readonly string[];
    /** Duration of each file without the mutant, at each measurement. */
    readonly usualMs?: readonly number[];
  }
  const judgeWith = ({ mutant = [], sound = [], files = ["a.test.ts", "b.test.ts"], usualMs = [100] }: Runs) => {
    const left = { mutant: [...mutant], sound: [...sound] };
    const measured = [...usualMs];
    const state = { isMutated: false, runs: [] as string[], limits: [] as number[] };
    const baseline = createBaseline();
    const judge = createJudge({
      copy: {
        put: async () => {
          state.isMutated = true;
          return async () => void (state.isMutated = false);
        },
        async test(ran, limitMs) {
          const mode = state.isMutated ? "mutant" : "sound";
          state.runs.push(`${mode}: ${ran.map((file) => file.replace(".test.ts", "")).join(" ")}`);
          if (mode === "mutant") state.limits.push(limitMs);
          const ms = (mode === "sound" ? measured.shift() : undefined) ?? usualMs.at(-1) ?? 0;
          return left[mode].shift() ?? { kind: "passed", durations: new Map(ran.map((file) => [file, ms])) };
        },
      },
      baseline,
      read: async () => "a",
      testsOf: () => files,
      mostMs: 1000,
    });
    return { judge: (): Promise<Fate> => judge(siteAt(0)), state, baseline };
  };
  const failed: TestOutcome = { kind: "failed", file: "a.test.ts", title: "holds" };
  const stopped: TestOutcome = { kind: "stopped" };

  test("marks a mutant as killed if a test fails that passes without it", async () => {
    const { judge, state } = judgeWith({ mutant: [failed] });
    expect(await judge()).toEqual({ kind: "killed", how: "test", by: "a.test.ts", title: "holds" });
    expect(state).toMatchObject({ isMutated: false, runs: ["sound: a b", "mutant: a b"] });
  });

  test("does not use tests that fail without the mutant too", async () => {
    const { judge, state, baseline } = judgeWith({ sound: [failed] });
    expect(await judge()).toEqual({ kind: "survived", ran: ["b.test.ts"], left: 0 });
    expect(state.runs).toEqual(["sound: a b", "sound: b", "mutant: b"]);
    expect(baseline.failing()).toEqual(["a.test.ts"]);
  });

  test("uses no file of a run that fails without the mutant and names none of them", async () => {
    for (const outcome of [stopped, { ...failed, file: "other.test.ts" }]) {
      const { judge, baseline } = judgeWith({ sound: [outcome] });
      expect(await judge()).toEqual({ kind: "survived", ran: [], left: 0 });
      expect(baseline.failing()).toEqual(["a.test.ts", "b.test.ts"]);
    }
  });

  test("measures each file once, for all mutants", async () => {
    const { judge, state } = judgeWith({});
    await judge();
    await judge();
    expect(state.runs).toEqual(["sound: a b", "mutant: a b", "mutant: a b"]);
  });

  test("limits the tests of a mutant to a multiple of their time without it", async () => {
    const { judge, state } = judgeWith({ usualMs: [400] });
    await judge();
    expect(state.limits).toEqual([9000]);
  });

  test("marks a mutant as killed by a hang if the same tests then pass without it about as fast as before", async () => {
    const { judge, state } = judgeWith({ mutant: [stopped], usualMs: [100, 160] });
    expect(await judge()).toMatchObject({ kind: "killed", how: "hang", title: "still running after 6 s" });
    expect(state.runs).toEqual(["sound: a b", "mutant: a b", "sound: a b"]);
  });

  test("repeats only the file with a test that timed out", async () => {
    const { judge, state } = judgeWith({ mutant: [{ ...stopped, file: "b.test.ts" }] });
    expect(await judge()).toMatchObject({ how: "hang", by: "b.test.ts" });
    expect(state.runs.at(-1)).toBe("sound: b");
  });

  test("gives a mutant more time if the tests have become slower without it", async () => {
    const { judge, state } = judgeWith({ mutant: [stopped], usualMs: [100, 200] });
    expect(await judge()).toEqual({ kind: "survived", ran: ["a.test.ts", "b.test.ts"], left: 0 });
    expect(state.limits).toEqual([6000, 7000]);
  });

  test("leaves tests out that reach their limit without the mutant too", async () => {
    const { judge, state } = judgeWith({
      mutant: [stopped, stopped, stopped],
      sound: [{ kind: "passed", durations: new Map([["a.test.ts", 100]]) }, stopped, stopped, stopped],
    });
    expect(await judge()).toEqual({ kind: "survived", ran: [], left: 2 });
    expect(state.limits.length).toBe(3);
  });

  test("runs slow files after the first batch once half of the time is used, or when no other is left", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.test.ts`);
    const mutantRuns = ({ runs }: { readonly runs: readonly string[] }) =>
      runs.filter((run) => run.startsWith("mutant"));
    const many = judgeWith({ files: names(30), usualMs: [10, 300, 45] });
    expect(await many.judge()).toMatchObject({ kind: "survived", left: 13 });
    expect(mutantRuns(many.state)).toEqual([
      "mutant: 0 1 2",
      `mutant: ${Array.from({ length: 12 }, (_, index) => index + 9).join(" ")}`,
      "mutant: 3",
      "mutant: 4",
    ]);
    const few = judgeWith({ files: names(5), usualMs: [10, 300] });
    expect(await few.judge()).toMatchObject({ kind: "survived", left: 0 });
    expect(mutantRuns(few.state)).toEqual(["mutant: 0 1 2", "mutant: 3", "mutant: 4"]);
  });

  test("runs files in growing batches until they take the limit, and reports how many are left", async () => {
    const files = Array.from({ length: 40 }, (_, index) => `${index}.test.ts`);
    const { judge, state } = judgeWith({ files, usualMs: [60] });
    expect(await judge()).toEqual({ kind: "survived", ran: files.slice(0, 21), left: 19 });
    expect(state.runs.filter((run) => run.startsWith("mutant")).map((run) => run.split(" ").length - 1)).toEqual([
      3, 6, 12,
    ]);
  });
});

test("`readFailure` returns the first failure and its file from the runner's output", () => {
  const said =
    "\npackages/a.test.ts:\n(pass) one [1ms]\n\npackages/b.test.ts:\n(pass) x\n(fail) two > three [12.50ms]\n";
  expect(readFailure(said, 1)).toEqual({ kind: "failed", file: "packages/b.test.ts", title: "two > three" });
  expect(readFailure("b.test.ts:\n(fail) one [30000.01ms]\n  ^ this test timed out after 30000ms.\n", 1)).toEqual({
    ...{ kind: "stopped", file: "b.test.ts" },
  });
  expect(readFailure("", 132)).toEqual({ kind: "failed", title: "the runner ended with 132" });
});

/** A busy machine starts the runner and its test within this time. */
const STARTED_MS = 10_000;

describe("a copy", () => {
  test("runs tests against the mutant, leaves the tree unchanged, and removes its files", async () => {
    const test = "packages/warden/src/policy/limit.test.ts";
    const copy = makeCopy(folder);
    const inCopy = join(copy.folder, "tree", FILE);
    try {
      const outcome = await copy.test([test], 120_000);
      expect(outcome).toEqual({ kind: "passed", durations: new Map([[test, expect.any(Number)]]) });
      await (
        await copy.put(FILE, "first mutant")
      )();
      const { mtimeMs } = statSync(inCopy);
      const restore = await copy.put(FILE, "mutant");
      expect(await Bun.file(join(folder, FILE)).text()).toBe(TEXT);
      expect(await Bun.file(inCopy).text()).toBe("mutant");
      await restore();
      expect(await Bun.file(inCopy).text()).toBe(TEXT);
      // Programs built from the original are found again by the times of its files.
      expect(statSync(inCopy).mtimeMs).toBe(mtimeMs);
      await expect(copy.put(test, "mutant")).rejects.toThrow("is not production code");
    } finally {
      copy.close();
    }
    expect(existsSync(copy.folder)).toBe(false);
  });

  test("finds the files with type errors, and permits unused names", async () => {
    const page = "packages/ui/src/page.ts";
    const copy = makeCopy(folder);
    try {
      expect(await copy.mistyped()).toEqual(new Set());
      await copy.put(FILE, TEXT.replace("count > 10", "count > log"));
      expect(await copy.mistyped()).toEqual(new Set([FILE]));
      await copy.put(page, 'export const width: number = "wide";\n');
      await copy.put(FILE, `import { limit as unused } from "./limit.ts";\n${TEXT}`);
      expect(await copy.mistyped()).toEqual(new Set([page]));
    } finally {
      copy.close();
    }
  });

  test("ends a hanging test at the time limit, with all its processes", async () => {
    const pidFile = join(folder, "pid");
    const hanging = "packages/warden/src/policy/hanging.test.ts";
    const program = `import { test } from "bun:test";
      test("hangs", () => {
        const child = Bun.spawn(["sleep", "600"]);
        require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });`;
    writeFileSync(join(folder, hanging), program);
    const copy = makeCopy(folder);
    try {
      const running = copy.test([hanging], STARTED_MS);
      expect((await running).kind).toBe("stopped");
      expect(existsSync(pidFile)).toBe(true);
      const pid = Number(await Bun.file(pidFile).text());
      await until(() => !isAlive(pid));
    } finally {
      copy.close();
      rmSync(join(folder, hanging));
    }
  });
});
