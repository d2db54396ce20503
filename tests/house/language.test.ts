/**
 * Tests of the wording that STYLE.md refuses, and of the list of older findings, which only
 * shrinks.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { accepted, refused } from "./fixtures/language-examples.ts";
import { EXCEPTIONS, judgeLanguage, judgeRepository } from "./language.ts";
import { root } from "./source.ts";

const RECREATE = "node_modules/@oven/bun-linux-x64/bin/bun tests/house/language-baseline.ts";

let found: ReadonlyMap<string, readonly string[]> = new Map();
let baseline: Readonly<Record<string, number>> = {};

beforeAll(async () => {
  [found, baseline] = await Promise.all([
    judgeRepository(root),
    Bun.file(join(import.meta.dir, "language-baseline.json")).json(),
  ]);
});

describe("the repository", () => {
  test("has no refused wording beyond the baseline", () => {
    const grown = [...found].filter(([path, findings]) => findings.length > (baseline[path] ?? 0));
    expect(grown.flatMap(([, findings]) => findings)).toEqual([]);
  });

  test("has a baseline that shrinks with the findings", () => {
    const stale = Object.entries(baseline)
      .map(([path, count]) => ({ path, count, now: found.get(path)?.length ?? 0 }))
      .filter(({ count, now }) => now < count)
      .map(({ path, count, now }) => `${path} has ${now} findings, the baseline says ${count}: run ${RECREATE}`);
    expect(stale).toEqual([]);
  });

  test("has files for every exception", async () => {
    const paths = await Array.fromAsync(new Glob("{packages,tests}/**/*.{ts,md}").scan({ cwd: root }));
    const used = EXCEPTIONS.filter(({ path }) => paths.some((candidate) => path.test(candidate)));
    expect(used).toEqual([...EXCEPTIONS]);
  });
});

describe("the rule", () => {
  test.each(refused.map(([...example]) => example))("refuses in %s: %s", (path, text, why) => {
    const [finding = "", ...more] = judgeLanguage(path, `\n${text}`);
    expect(more).toEqual([]);
    expect(finding).toStartWith(`${path}:2 `);
    expect(finding).toContain(why);
  });

  test.each(accepted.map(([...example]) => example))("accepts in %s: %s", (path, text) => {
    expect(judgeLanguage(path, text)).toEqual([]);
  });
});
