/** Tests of the random mutants: mutations, selection, choice of tests and judgement. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "@hearth/protocol/until";
import { isAlive } from "../journeys/daemon.ts";
import { root } from "../house/source.ts";
import { areaOf, AREAS, chooseSites, DEFAULT_AREAS } from "./choice.ts";
import { makeCopy, readFailure, type TestOutcome } from "./copy.ts";
import { createJudge } from "./judge.ts";
import { readImporters, testsNear } from "./near.ts";
import { findSites, isFit, isProduction, mutate, type Site } from "./sites.ts";

const FILE = "packages/warden/src/policy/limit.ts";
const TEXT = `
const ALLOWED = new Set(["read", "list", "write"]);
export const limit = async (count: number, log: { write(text: string): void }, save: () => Promise<void>) => {
  if (count > 10) return false;
  log.write(count > 3 ? "many" : "few");
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
  "packages/cli/src/other.test.ts": 'import "./other.ts";\n',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-mutants-test-"));
  mkdirSync(join(folder, "node_modules"));
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
  for (const site of sites) expect(isFit(FILE, TEXT, site)).toBe(true);
});

test("a fit mutant parses and changes the program; others are omitted", () => {
  const whole = { ...siteAt(0), path: FILE, end: 7 };
  expect(mutate("a === b", { ...whole, to: "a !== b" })).toBe("a !== b");
  expect(isFit(FILE, "a === b", { ...whole, to: "a !==" })).toBe(false);
  expect(isFit(FILE, "a === b", { ...whole, to: "(a === b)" })).toBe(false);
});

test("`isProduction` excludes tests, fixtures and fakes", () => {
  const paths = ["x.ts", "x.test.ts", "x.conformance.ts", "fixtures/x.ts", "fake-x.ts", "x.d.ts"];
  expect(paths.filter((path) => isProduction(`packages/warden/src/${path}`))).toEqual(["x.ts"]);
});

/** One folder of each default area, in the order of `DEFAULT_AREAS`. */
const FOLDERS = ["kernel/store", "policy", "people", "cells/egress", "policy/secrets", "turns"];

test("an area's folders exist and contain production code, and the longest prefix decides", async () => {
  const empty = Object.values(AREAS)
    .flat()
    .filter((prefix) => ![...new Bun.Glob(`${prefix}**/*.ts`).scanSync({ cwd: root })].some(isProduction));
  expect(empty).toEqual([]);
  expect(FOLDERS.map((name) => areaOf(`packages/warden/src/${name}/x.ts`))).toEqual([...DEFAULT_AREAS]);
});

describe("a choice", () => {
  const sites = Array.from({ length: 400 }, (_, start) => ({
    ...siteAt(start),
    path: `packages/warden/src/${FOLDERS[start % FOLDERS.length]}/x.ts`,
  }));
  const choose = (seed: number, areas = DEFAULT_AREAS, count = 12) =>
    chooseSites({ sites, seed, areas, count, isFit: () => true });

  test("is equal for equal seeds and differs for others", () => {
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1)).not.toEqual(choose(2));
  });

  test("takes equally many mutants from each area, in turns", () => {
    expect(choose(1).map(({ path }) => areaOf(path))).toEqual([...DEFAULT_AREAS, ...DEFAULT_AREAS]);
  });

  test("of one area equals the choice of all areas in that area", () => {
    const inPolicy = choose(1).filter(({ path }) => areaOf(path) === "policy");
    expect(choose(1, ["policy"], 2)).toEqual(inPolicy);
  });

  test("takes no line twice and no unfit site", () => {
    const lines = Array.from({ length: 30 }, (_, start) => ({ ...siteAt(start), path: FILE, line: start % 3 }));
    const isFit = ({ line }: Site): boolean => line > 0;
    const chosen = chooseSites({ sites: lines, seed: 1, areas: ["policy"], count: 30, isFit });
    expect(chosen.map(({ line }) => line).toSorted((one, other) => one - other)).toEqual([1, 2]);
  });
});

test("`testsNear` returns the tests that import a file, nearest first, without those that import only its types", async () => {
  expect(testsNear(await readImporters(folder), FILE)).toEqual([
    "packages/warden/src/policy/limit.test.ts",
    "packages/warden/src/policy/house.test.ts",
    "packages/cli/src/run.test.ts",
    "packages/warden/src/warden.test.ts",
  ]);
});

describe("a judge", () => {
  const judgeWith = (
    outcomes: Readonly<Record<string, readonly TestOutcome[]>>,
    complaints: readonly string[] = [],
    files: readonly string[] = ["a.test.ts", "b.test.ts"],
  ) => {
    const left = new Map(Object.entries(outcomes).map(([mode, all]) => [mode, [...all]]));
    const saidByCheck = [...complaints];
    const state = { isMutated: false, now: 0, runs: 0 };
    const judge = createJudge({
      copy: {
        put: async () => {
          state.isMutated = true;
          return async () => void (state.isMutated = false);
        },
        async test() {
          state.runs += 1;
          return left.get(state.isMutated ? "mutant" : "sound")?.shift() ?? { kind: "passed", durationMs: 1 };
        },
        check: async () => (state.isMutated ? saidByCheck.shift() : undefined),
      },
      read: async () => "a",
      testsOf: () => files,
      limitMs: 1000,
      now: () => state.now,
    });
    return { judge, state };
  };
  const failed: TestOutcome = { kind: "failed", file: "a.test.ts", title: "holds" };

  test("marks a mutant as killed if a test fails that passes without it", async () => {
    const { judge, state } = judgeWith({ mutant: [failed] });
    expect(await judge(siteAt(0))).toEqual({ kind: "killed", how: "test", by: "a.test.ts", title: "holds" });
    expect(state.isMutated).toBe(false);
  });

  test("ignores tests that fail without the mutant too", async () => {
    const { judge } = judgeWith({ mutant: [failed], sound: [failed] });
    expect(await judge(siteAt(0))).toEqual({ kind: "survived", ran: ["b.test.ts"], isWhole: true });
  });

  test("marks a mutant as killed if tests hang that end quickly without it", async () => {
    const { judge } = judgeWith({ mutant: [{ kind: "stopped", durationMs: 900 }] });
    expect(await judge(siteAt(0))).toMatchObject({
      ...{ kind: "killed", how: "hang", title: "still running after 1 s" },
    });
  });

  test("tests a file with a test that timed out again, without the mutant and with less time", async () => {
    const late: TestOutcome = { kind: "stopped", file: "a.test.ts", durationMs: 900 };
    expect(await judgeWith({ mutant: [late] }).judge(siteAt(0))).toMatchObject({ how: "hang", by: "a.test.ts" });
    const { judge } = judgeWith({ mutant: [late], sound: [{ kind: "stopped", durationMs: 225 }] });
    expect(await judge(siteAt(0))).toEqual({ kind: "survived", ran: [], isWhole: false });
  });

  test("reports when the time limit ended the run before all tests", async () => {
    const slow: TestOutcome = { kind: "stopped", durationMs: 900 };
    const { judge } = judgeWith({ mutant: [slow], sound: [slow] });
    expect(await judge(siteAt(0))).toEqual({ kind: "survived", ran: [], isWhole: false });
  });

  test("checks types and lint after the nearest three files, and then runs the others", async () => {
    const files = ["a", "b", "c", "d", "e"].map((name) => `${name}.test.ts`);
    const refused = judgeWith({}, ["error TS2345: no"], files);
    expect(await refused.judge(siteAt(0))).toMatchObject({ how: "check" });
    expect(refused.state.runs).toBe(1);
    const passed: TestOutcome = { kind: "passed", durationMs: 1 };
    const late = judgeWith({ mutant: [passed, { ...failed, file: "d.test.ts" }] }, [], files);
    expect(await late.judge(siteAt(0))).toMatchObject({ how: "test", by: "d.test.ts" });
    expect(await judgeWith({}, [], files).judge(siteAt(0))).toEqual({ kind: "survived", ran: files, isWhole: true });
  });

  test("marks a mutant as killed if types or lint fail", async () => {
    const { judge } = judgeWith({}, ["error TS2345: no"]);
    expect(await judge(siteAt(0))).toEqual({
      kind: "killed",
      how: "check",
      by: "npm run check",
      title: "error TS2345: no",
    });
  });
});

test("`readFailure` returns the first failure and its file from the runner's output", () => {
  const said =
    "\npackages/a.test.ts:\n(pass) one [1ms]\n\npackages/b.test.ts:\n(pass) x\n(fail) two > three [12.50ms]\n";
  expect(readFailure(said, 1)).toEqual({ kind: "failed", file: "packages/b.test.ts", title: "two > three" });
  expect(readFailure("b.test.ts:\n(fail) one [30000.01ms]\n  ^ this test timed out after 30000ms.\n", 1)).toEqual({
    ...{ kind: "stopped", file: "b.test.ts", durationMs: 30_000 },
  });
  expect(readFailure("", 132)).toEqual({ kind: "failed", title: "the runner ended with 132" });
});

/** A busy machine starts the runner and its test within this time. */
const STARTED_MS = 10_000;

describe("a copy", () => {
  test("runs tests against the mutant, leaves the tree unchanged, and removes its files", async () => {
    const test = "packages/warden/src/policy/limit.test.ts";
    const copy = makeCopy(folder, 1);
    try {
      expect((await copy.test([test], 120_000)).kind).toBe("passed");
      const restore = await copy.put(FILE, "mutant");
      expect(await Bun.file(join(folder, FILE)).text()).toBe(TEXT);
      await restore();
      await expect(copy.put(test, "mutant")).rejects.toThrow("is not production code");
    } finally {
      copy.close();
    }
    expect(existsSync(copy.folder)).toBe(false);
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
    const copy = makeCopy(folder, 1);
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
