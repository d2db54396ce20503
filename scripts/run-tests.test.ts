/** Tests that the runner counts correctly, with the real runner on small workspaces. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { groupTests } from "./test-groups.ts";
import { namedFiles, timingsOf } from "./test-order.ts";
import { countHomes, countTests } from "./test-report.ts";

const HEAD = `import { expect, test } from "bun:test";\n`;
const GOOD = `${HEAD}test("one is one", () => expect(1).toBe(1));\n`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-run-tests-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = async (
  files: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<{ code: number; last: string; out: string; err: string }> => {
  for (const [path, text] of Object.entries({ "package.json": "{}", ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const child = Bun.spawn([process.execPath, "--no-install", join(import.meta.dir, "run-tests.ts"), ...words], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err, last: out.trimEnd().split("\n").at(-1) ?? "" };
};

test("tests of all workspaces are counted, except in node_modules", async () => {
  const outcome = await run({
    "packages/a/src/a.test.ts": GOOD,
    "tests/b.test.ts": GOOD,
    "packages/a/node_modules/x/x.test.ts": GOOD,
  });
  expect(outcome).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
});

test("arguments select files by their path", async () => {
  expect(await run({ "packages/a/a.test.ts": GOOD, "tests/b.test.ts": GOOD }, "packages/")).toMatchObject({
    code: 0,
    last: "1 passed, 0 failed",
  });
});

test("a failed test fails the run", async () => {
  const bad = `${HEAD}test("one is two", () => expect(1).toBe(2));\n`;
  expect(await run({ "tests/a.test.ts": GOOD, "tests/b.test.ts": bad })).toMatchObject({
    code: 1,
    last: "1 passed, 1 failed",
  });
});

test("the end of the output names every failed test with its error", async () => {
  const tests = `describe("one", () => {
    test("is <two>", () => expect(1).toBe(2));
    test("throws", () => { throw new Error("for a reason"); });
  });`;
  const bad = `import { describe, expect, test } from "bun:test";\n${tests}\n`;
  const { out } = await run({ "tests/simulation/a.test.ts": bad });
  const lines = out.slice(out.indexOf("Failed: "));
  expect(lines).toContain("Failed: tests/simulation/a.test.ts: one > is <two>\nexpect(received).toBe(expected)\n");
  expect(lines).toContain("Failed: tests/simulation/a.test.ts: one > throws\nfor a reason\n");
});

test("a file without tests fails the run and is listed", async () => {
  const outcome = await run({ "tests/a.test.ts": GOOD, "tests/empty.test.ts": "export {};\n" });
  expect(outcome).toMatchObject({ code: 1, last: "1 passed, 1 failed" });
  expect(outcome.out).toContain("tests/empty.test.ts: no test ran");
});

test("a file that fails while loading fails the run", async () => {
  const failing = `${HEAD}throw new Error("at load");\n`;
  expect(await run({ "tests/a.test.ts": GOOD, "tests/failing.test.ts": failing })).toMatchObject({
    code: 1,
    last: "1 passed, 1 failed",
  });
});

test("a recorded statement that scans a growing table fails the run", async () => {
  const sends = (sql: string): string =>
    `import { appendFileSync } from "node:fs";\n${HEAD}test("sends", () => appendFileSync(process.env.HEARTH_STATEMENTS, ${JSON.stringify(`${JSON.stringify(sql)}\n`)}));\n`;
  const good = "select id from events where stream = ? and offset > ?";
  expect(await run({ "tests/a.test.ts": sends(good) })).toMatchObject({ code: 0, last: "1 passed, 0 failed" });
  const outcome = await run({ "tests/a.test.ts": sends("select id from events where type = ?") });
  expect(outcome).toMatchObject({ code: 1, last: "1 passed, 1 failed" });
  expect(outcome.out).toContain("SCAN events");
});

test("a test that exits the process successfully fails the run", async () => {
  const exiting = `${HEAD}test("leaves", () => process.exit(0));\n`;
  expect(await run({ "tests/a.test.ts": GOOD, "tests/exiting.test.ts": exiting })).toMatchObject({
    code: 1,
    last: "1 passed, 1 failed",
  });
});

test("simulation tests run in the background, are counted, and their output is shown", async () => {
  const bad = `${HEAD}test("two is one", () => expect(2).toBe(1));\n`;
  const files = { "tests/simulation/a.test.ts": bad, "tests/simulation/empty.test.ts": HEAD, "tests/b.test.ts": GOOD };
  const outcome = await run(files);
  expect(outcome).toMatchObject({ code: 1, last: "1 passed, 2 failed" });
  expect(outcome.out).toContain("tests/simulation/empty.test.ts: no test ran");
  expect(outcome.err).toContain("two is one");
});

test("test files of a package, of an area or of the whole program share processes, and others have their own", () => {
  const files = [
    "packages/cli/src/a.test.ts",
    "packages/cli/src/chat/b.test.ts",
    "packages/cli/src/adapter/bun/c.test.ts",
    "packages/memory/src/d.test.ts",
    "packages/warden/src/kernel/store/e.test.ts",
    "packages/warden/src/people/f.test.ts",
    "packages/warden/tests/kernel/g.test.ts",
    "packages/warden/tests/kernel/steady.test.ts",
    "tests/house/h.test.ts",
    "tests/journeys/i.test.ts",
    "tests/simulation/j.test.ts",
  ];
  const lanes = groupTests(files, 2);
  const named = lanes.map((groups) => groups.map(({ name, files }) => [name, ...files]));
  expect(named).toEqual([
    [
      ["alone", ...[2, 3, 7].map((index) => files[index] ?? "")],
      ["program", "tests/journeys/i.test.ts"],
    ],
    [
      ["packages/cli", "packages/cli/src/a.test.ts", "packages/cli/src/chat/b.test.ts"],
      ["packages/warden/src/kernel", "packages/warden/src/kernel/store/e.test.ts"],
      ["packages/warden/src/people", "packages/warden/src/people/f.test.ts"],
      ["packages/warden", "packages/warden/tests/kernel/g.test.ts"],
    ],
    [["computing", "tests/simulation/j.test.ts"]],
    [["house", "tests/house/h.test.ts"]],
  ]);
  expect(groupTests(["packages/a.test.ts"], 2)).toHaveLength(1);
});

test("groups that share a process are all run and counted, and a failed one fails the run", async () => {
  const bad = `${HEAD}test("three is one", () => expect(3).toBe(1));\n`;
  const files = { "packages/a/src/a.test.ts": GOOD, "packages/b/src/b.test.ts": bad, "packages/c/src/c.test.ts": GOOD };
  const outcome = await run(files);
  expect(outcome).toMatchObject({ code: 1, last: "2 passed, 1 failed" });
  expect(outcome.err).toContain("three is one");
});

test("a test that exits a shared process fails every file that did not run", async () => {
  const exiting = `${HEAD}test("leaves", () => process.exit(0));\n`;
  const outcome = await run({ "packages/a/src/a.test.ts": exiting, "packages/a/src/b.test.ts": GOOD });
  expect(outcome.code).toBe(1);
  expect(outcome.out).toContain("packages/a/src/b.test.ts: no test ran");
});

test("every file has a timing, so that slow files start before unknown ones", () => {
  const { files } = JSON.parse(timingsOf(["tests/new.test.ts", ...namedFiles]));
  expect(Object.keys(files)).toHaveLength(namedFiles.length + 1);
  expect(Math.min(...Object.values<number>(files))).toBe(files["tests/new.test.ts"]);
});

test("every file in the order exists", () => {
  const root = join(import.meta.dir, "..");
  expect(namedFiles.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("a run without any test fails", async () => {
  expect(await run({})).toMatchObject({ code: 1, last: "0 passed, 1 failed" });
});

test("a failed runner without a failed test counts as a failure", () => {
  const report = `<testsuites tests="1" failures="0" skipped="0"><testcase name="x &gt; y" file="a.test.ts" /></testsuites>`;
  expect(countTests({ report, files: ["a.test.ts"], exitCode: 1 })).toMatchObject({ passed: 1, failed: 1 });
  expect(countTests({ report, files: ["a.test.ts"], exitCode: 0 })).toEqual({
    passed: 1,
    failed: 0,
    skipped: 0,
    complaints: [],
    failures: [],
  });
});

test("skipped tests are neither passed nor failed", () => {
  const report = `<testsuites tests="3" failures="1" skipped="1"><testcase name="x" file="a.test.ts"></testcase></testsuites>`;
  expect(countTests({ report, files: ["a.test.ts"], exitCode: 1 })).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
});

test("the command is compiled ahead only for tests that start it many times", async () => {
  const files = {
    "packages/cli/src/compiled/build.ts": `await Bun.write("compiled", "");\n`,
    "packages/a.test.ts": GOOD,
    "tests/journeys/a.test.ts": `${HEAD}import { appendFileSync, existsSync } from "node:fs";
      test("it is there", () => {
        appendFileSync(process.env["HEARTH_CANARY_COUNT"] ?? "", "clean\\n");
        expect(existsSync("compiled")).toBe(true);
      });\n`,
  };
  expect(await run(files, "packages/")).toMatchObject({ code: 0, last: "1 passed, 0 failed" });
  expect(existsSync(join(folder, "compiled"))).toBe(false);
  expect(await run(files)).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
  const broken = { ...files, "packages/cli/src/compiled/build.ts": "process.exit(1);\n" };
  expect(await run(broken)).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
});

test("a run of journeys fails if no home was searched for secrets", () => {
  const journeys = ["tests/journeys/a.test.ts"];
  expect(countHomes({ lines: "", files: journeys })).toEqual({
    homes: 0,
    complaints: ["No home of a journey was searched for secrets."],
  });
  expect(countHomes({ lines: "clean\nleaked\n", files: journeys })).toEqual({ homes: 2, complaints: [] });
  expect(countHomes({ lines: "", files: ["packages/a.test.ts"] })).toEqual({ homes: 0, complaints: [] });
});
