/**
 * Tests wait only with the helper that has a deadline, because a poll without one turns a defect
 * into a hang.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

const HELPER = "packages/protocol/src/fixtures/until.ts";
const TESTS =
  /^(?:tests|scripts|packages\/\w+\/(?:src|tests))\/.*(?:\.test\.tsx?|\.conformance\.ts|\/fixtures\/[^/]*\.ts)$|^tests\/.*\.ts$/;
/** Measurements run in separate processes, so a failed wait ends with its process. */
const MEASURES = /-cost\.ts$/;

/** A loop with a fixed count ends. */
const COUNTED = /\bfor \(let \w+ = 0; \w+ < /;

/** Finds lines that sleep, or that poll without a deadline. */
const findPolls = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter(
      (line) =>
        /\bBun\.sleep(Sync)?\b/.test(line) || /\b(while|for) \(.*\b(sleep|turn|setTimeout|setImmediate)\(/.test(line),
    )
    .filter((line) => !COUNTED.test(line))
    .map((line) => line.trim());

test("tests poll and sleep only through the helper with a deadline", async () => {
  const places = ["packages", "tests", "scripts"].map((folder) => new Bun.Glob(`${folder}/**/*.{ts,tsx}`));
  const paths = places
    .flatMap((glob) => [...glob.scanSync({ cwd: root })])
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => TESTS.test(path) && !path.includes("node_modules/") && !MEASURES.test(path))
    .filter((path) => path !== HELPER && path !== "tests/house/waiting.test.ts");
  expect(paths.length).toBeGreaterThan(300);
  const found = await Promise.all(
    paths.map(async (path) => findPolls(await Bun.file(join(root, path)).text()).map((line) => `${path}: ${line}`)),
  );
  expect(found.flat()).toEqual([]);
});

describe("the rule", () => {
  test.each([
    "  await Bun.sleep(20);",
    "  while (!isDone()) await Bun.sleep(1);",
    "  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));",
    "  while (!isDone()) await world.clock.turn();",
    "  for (;;) await new Promise((resolve) => setTimeout(resolve, 5));",
  ])("refuses %s", (line) => {
    expect(findPolls(line)).toHaveLength(1);
  });

  test.each([
    "  await until(() => isDone());",
    "  await spend(chance.between(0, 15));",
    "  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));",
    "  const timer = setTimeout(stop, limitMs);",
  ])("lets pass %s", (line) => {
    expect(findPolls(line)).toEqual([]);
  });
});
