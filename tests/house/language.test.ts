/** Tests of the wording that STYLE.md refuses, and of the list of older findings, which only shrinks. */
import { beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
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
  test.each([
    ["x.ts", "/** Whoever asks gets an answer. */", 'says "Whoever": name the actor'],
    ["x.ts", "// Somebody removed the file.", 'says "Somebody": name the actor'],
    ["x.ts", 'fail("The request reached nobody.");', 'says "nobody": name the actor'],
    ["x.ts", "fail(`The key ${key} is not for anybody else.`);", 'says "anybody": name the actor'],
    ["x.ts", "run(); // The stream is opened anew.", 'says "anew": write "again"'],
    ["x.ts", 'fail("This frame is none that we know.");', 'says "is none": write "does not exist"'],
    ["x.ts", 'fail("The file is not to be had.");', 'says "to be had": write "available"'],
    ["x.md", "It has a process of its own.", 'says "of its own": write "its own ..."'],
    ["x.md", "1. It restarts by itself.", 'says "by itself": write "automatically"'],
    ["x.ts", "// The log and the offsets thereof.", 'says "thereof": use a current word'],
    ["x.ts", " * Of two rows the later one wins.", 'says "Of": begin with the subject'],
    ["x.md", "- Whose key it is, the page shows.", 'says "Whose": begin with the subject'],
    ["x.ts", "/** What is idle is closed. */", 'says "What is": begin with the subject'],
    ["x.ts", "// A cell is idle. What has ended is removed.", 'says "What has": begin with the subject'],
    ["x.sh", "# Nobody reads this.", 'says "Nobody": name the actor'],
    ["x.tsx", "        <p>Nobody has written yet.</p>", 'says "Nobody": name the actor'],
    ["x.tsx", "          Wait until somebody answers", 'says "somebody": name the actor'],
    ["x.ts", `// ${"word ".repeat(25)}`, "has a comment of 128 columns: wrap it at 100"],
  ])("refuses in %s: %s", (path, text, why) => {
    const [finding = "", ...more] = judgeLanguage(path, `\n${text}`);
    expect(more).toEqual([]);
    expect(finding).toStartWith(`${path}:2 `);
    expect(finding).toContain(why);
  });

  test.each([
    ["x.ts", "/** Callers get an answer. */"],
    ["x.ts", 'const nobody = "nobody";'],
    ["x.ts", 'if (anybody === "whoever") anew(by.itself);'],
    ["x.ts", "// Returns `anybody` for an open room."],
    ["x.ts", "// Frees the cells, none of which is open."],
    ["x.ts", "// The caller had to be authenticated."],
    ["x.ts", "// It loads its own settings, and only by its id."],
    ["x.ts", "// Removes rows of the table. The caller decides what is removed."],
    ["x.ts", 'print("Of two rows the later one wins.");'],
    ["x.ts", "// What is the answer to this?"],
    ["x.md", "## What is new"],
    ["x.md", 'The words "whoever" and `somebody` are refused.'],
    ["x.md", "```\nuser: nobody\n```"],
    ["x.md", `A line of a page ${"may be wide ".repeat(20)}`],
    ["x.ts", `const text = "${"may be wide ".repeat(20)}";`],
    ["x.ts", `// ${"word ".repeat(23)}`],
  ])("accepts in %s: %s", (path, text) => {
    expect(judgeLanguage(path, text)).toEqual([]);
  });
});
