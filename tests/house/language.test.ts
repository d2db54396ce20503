/** Tests of the wording that STYLE.md refuses. */
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { accepted, refused } from "./fixtures/language-examples.ts";
import { EXCEPTIONS, judgeLanguage, judgeRepository } from "./language.ts";
import { root } from "./source.ts";

describe("the repository", () => {
  test("has no refused wording", async () => {
    expect([...(await judgeRepository(root)).values()].flat()).toEqual([]);
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
