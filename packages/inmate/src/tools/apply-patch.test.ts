import { describe, expect, test } from "bun:test";
import { applyHunks, parsePatch } from "./patch.ts";
import { createFakeTools } from "./tools-fake.ts";

const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const start = async (files: Readonly<Record<string, string>>) => {
  const tools = createFakeTools();
  for (const [path, text] of Object.entries(files)) await tools.put(path, text);
  return { ...tools, apply: (...lines: readonly string[]) => tools.run("apply_patch", { patch: patch(...lines) }) };
};

test("files can be added, changed, moved and deleted by one patch", async () => {
  const { apply, get, files } = await start({ "a.txt": "one\ntwo\nthree\n", "old.txt": "x\n", "gone.txt": "y\n" });
  const outcome = await apply(
    "*** Add File: new/b.txt",
    "+first",
    "+",
    "+last",
    "*** Update File: a.txt",
    "@@",
    " one",
    "-two",
    "+2",
    " three",
    "*** Update File: old.txt",
    "*** Move to: moved.txt",
    "@@",
    "-x",
    "+z",
    "*** Delete File: gone.txt",
  );
  expect(outcome).toEqual({
    text: "Added new/b.txt.\nChanged a.txt.\nMoved old.txt to moved.txt.\nDeleted gone.txt.",
    failed: false,
  });
  expect([await get("new/b.txt"), await get("a.txt"), await get("moved.txt")]).toEqual([
    "first\n\nlast\n",
    "one\n2\nthree\n",
    "z\n",
  ]);
  expect((await files.list(".", 10)).entries.map(({ name }) => name)).toEqual(["a.txt", "moved.txt", "new"]);
});

test("if one section does not fit, nothing is changed", async () => {
  const { apply, get, files } = await start({ "a.txt": "one\n" });
  const outcome = await apply("*** Add File: b.txt", "+b", "*** Update File: a.txt", "@@", "-two", "+2");
  expect(outcome).toEqual({
    text: "hunk 1 of a.txt does not fit: its lines are not in the file. Read the file again.",
    failed: true,
  });
  expect([await get("a.txt"), (await files.list(".", 10)).total]).toEqual(["one\n", 1]);
});

test("an ambiguous place is an error, and a line after @@ resolves it", async () => {
  const text = "def a():\n  pass\ndef b():\n  pass\n";
  const { apply, get } = await start({ "a.py": text });
  expect((await apply("*** Update File: a.py", "@@", "-  pass", "+  return")).text).toContain("fits in 2 places");
  expect((await apply("*** Update File: a.py", "@@ def b():", "-  pass", "+  return")).failed).toBe(false);
  expect(await get("a.py")).toBe("def a():\n  pass\ndef b():\n  return\n");
});

test("hunks apply in order down the file, and line numbers are ignored", async () => {
  const { apply, get } = await start({ a: "x\n1\nx\n2\nx\n3\n" });
  await apply("*** Update File: a", "@@ -1,2 +1,2 @@", " x", "-1", "+one", "@@ -90,1 +7,7 @@", "-3", "+three");
  expect(await get("a")).toBe("x\none\nx\n2\nx\nthree\n");
});

test("white space at the end of lines, Windows line ends and a missing last line end are kept as they are", async () => {
  const { apply, get } = await start({ w: "a\r\nb\r\n", open: "a\nb", trailing: "a  \nb\n" });
  await apply("*** Update File: w", "@@", "-a", "+A", "*** Update File: open", "@@", "-a", "+A");
  await apply("*** Update File: trailing", "@@", " a", "-b", "+B");
  expect([await get("w"), await get("open"), await get("trailing")]).toEqual(["A\r\nb\r\n", "A\nb", "a\nB\n"]);
});

test("lines are added at the end of a file", async () => {
  const { apply, get } = await start({ a: "one\n" });
  await apply("*** Update File: a", "@@", "+two", "*** End of File");
  expect(await get("a")).toBe("one\ntwo\n");
});

describe("an invalid patch is refused with its line number, and nothing is changed:", () => {
  test.each([
    ["no beginning", "hello", "Line 1 of the patch"],
    ["no end", "*** Begin Patch\n*** Delete File: a", "Line 2 of the patch"],
    ["no file", patch(), "it has no file section"],
    ["words between", patch("hello"), "Line 2 of the patch: expected a file header"],
    ["a new file's line without +", patch("*** Add File: n", "x"), "Line 3 of the patch"],
    ["text below a deletion", patch("*** Delete File: a", "+x"), "Line 3 of the patch"],
    ["an update of nothing", patch("*** Update File: a"), "nothing is changed in a"],
    ["a stray line in a hunk", patch("*** Update File: a", "@@", "?x"), "Line 4 of the patch"],
    ["a line after @@ that is not there", patch("*** Update File: a", "@@ two", "-one"), 'the line "two" is not there'],
    ["one file twice", patch("*** Delete File: a", "*** Delete File: a"), "has two sections for a"],
    ["a file that is there", patch("*** Add File: a", "+x"), "a already exists."],
    ["a file that is not", patch("*** Delete File: q"), 'There is no "q".'],
    ["a path out of the workspace", patch("*** Add File: ../q", "+x"), "../q"],
  ])("%s", async (_what, text, why) => {
    const { run, files, get } = await start({ a: "one\n" });
    const outcome = await run("apply_patch", { patch: text });
    expect(outcome.failed).toBe(true);
    expect(outcome.text).toContain(why);
    expect([await get("a"), (await files.list(".", 10)).total]).toEqual(["one\n", 1]);
  });
});

test("a patch made from two random texts turns one into the other", () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const lines = (): readonly string[] =>
    Array.from({ length: 1 + random(12) }, () => "ab ".slice(random(3)).repeat(random(3)));
  for (let run = 0; run < 500; run += 1) {
    const [before, after] = [lines(), lines()];
    const body = ["@@", ...before.map((each) => `-${each}`), ...after.map((each) => `+${each}`)];
    const [section] = parsePatch(patch("*** Update File: f", ...body));
    if (section?.kind !== "update") throw new Error("no update");
    expect(applyHunks("f", `${before.join("\n")}\n`, section.hunks)).toBe(`${after.join("\n")}\n`);
  }
});

test("a section that only moves its file needs no hunk; one that does nothing is an error", async () => {
  const { apply, get } = await start({ "a.txt": "one\n" });
  expect((await apply("*** Update File: a.txt")).text).toContain("nothing is changed in a.txt");
  expect((await apply("*** Update File: a.txt", "@@")).text).toContain("nothing is changed in a.txt");
  expect((await apply("*** Update File: a.txt", "*** Move to: b.txt")).failed).toBe(false);
  expect(await get("b.txt")).toBe("one\n");
});

test.each([
  ["no section", [], 2],
  ["a line before the first header", ["+x", "*** Add File: a.txt", "+x"], 2],
  ["a line of a new file without +", ["*** Add File: a.txt", "+x", "y"], 4],
  ["a line below a deleted file", ["*** Delete File: a.txt", "", "-x"], 4],
])("a patch with %s names the line", (_what, lines, at) => {
  expect(() => parsePatch(patch(...lines))).toThrow(`Line ${at} of the patch`);
});

test("a blank line below a deleted file is permitted, and two sections of one file are not", () => {
  expect(parsePatch(patch("*** Delete File: a.txt", ""))).toEqual([{ kind: "delete", path: "a.txt" }]);
  for (const second of [["*** Delete File: a.txt"], ["*** Update File: b.txt", "*** Move to: a.txt"]])
    expect(() => parsePatch(patch("*** Add File: a.txt", "+x", ...second))).toThrow("two sections for a.txt");
});

test("hunks keep their anchors, and line numbers after @@ are no anchor", () => {
  const [section] = parsePatch(
    patch(
      ...["*** Update File: a.txt", "@@ class A", "@@ def a():", "-x", "+y"],
      ...["@@ -1,2 +1,3 @@", "+z", "*** End of File"],
    ),
  );
  expect(section).toEqual({
    ...{ kind: "update", path: "a.txt", to: undefined },
    hunks: [
      { anchors: ["class A", "def a():"], before: ["x"], after: ["y"], isAtEnd: false },
      { anchors: [], before: [], after: ["z"], isAtEnd: true },
    ],
  });
});
