import { expect, test } from "bun:test";
import { changeOfDisplay, changeOfInput } from "./change-lines.ts";
import { diffLines } from "../text/diff/diff-lines.ts";

const shown = (tool: string, display: string): readonly string[] | undefined =>
  changeOfDisplay(tool, display)?.lines.map(({ kind, text }) => `${kind}: ${text}`);

test("`write` shows every line of the file as added", () => {
  const display = 'write\n  content: "one\\n\\ttwo \\"x\\"\\n"\n  path: "a.md"';
  expect(changeOfDisplay("write", display)?.title).toBe("All of a.md");
  expect(shown("write", display)).toEqual(["added: one", 'added: \ttwo "x"']);
});

test("characters that the display escapes stay escaped", () => {
  const display = String.raw`write
  content: "a\u{202E}b\r\\n\\u{202E}[secret KEY]"
  path: "a"`;
  expect(shown("write", display)).toEqual([String.raw`added: a\u{202E}b\r\\n\\u{202E}[secret KEY]`]);
});

test("`edit` shows common lines once, then removed lines, then added lines", () => {
  const display = 'edit\n  new: "a\\nB\\nc"\n  old: "a\\nb\\nc"\n  path: "f"';
  expect(shown("edit", display)).toEqual(["same: a", "removed: b", "added: B", "same: c"]);
});

test("a patch shows its lines by their prefixes", () => {
  const display = 'apply_patch\n  patch: "*** Begin Patch\\n*** Update File: f\\n@@\\n same\\n-old\\n+new"';
  expect(shown("apply_patch", display)).toEqual([
    ...["heading: *** Begin Patch", "heading: *** Update File: f", "heading: @@"],
    ...["same: same", "removed: old", "added: new"],
  ]);
});

test("other tools and unexpected fields have no line view", () => {
  expect(changeOfDisplay("shell", 'shell\n  command: "ls"')).toBeUndefined();
  expect(changeOfDisplay("write", 'write\n  content: 3\n  path: "f"')).toBeUndefined();
  expect(changeOfDisplay("edit", 'edit\n  path: "f"')).toBeUndefined();
});

test("the diff contains exactly the lines of both texts", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    const [before, after] = [0, 1].map(() => Array.from({ length: random(8) }, () => "abc"[random(3)] ?? ""));
    const lines = diffLines(before ?? [], after ?? []);
    const of = (...kinds: readonly string[]) =>
      lines.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text);
    expect(of("same", "removed")).toEqual(before as string[]);
    expect(of("same", "added")).toEqual(after as string[]);
  }
  const long = Array.from({ length: 1500 }, (_, index) => `${index}`);
  expect(
    diffLines(
      long,
      long.map((line) => `${line}!`),
    ),
  ).toHaveLength(3000);
});

test("the input of a call that ran shows the same change as its display, with its own characters", () => {
  const input = { path: "f", old: "a\nb", new: "a\n\\n" };
  expect(changeOfInput("edit", input)).toEqual({
    title: "f",
    lines: [
      { kind: "same", text: "a" },
      { kind: "removed", text: "b" },
      { kind: "added", text: "\\n" },
    ],
  });
  for (const other of [null, "text", { path: 3 }]) expect(changeOfInput("edit", other)).toBeUndefined();
  expect(changeOfInput("read", { path: "f" })).toBeUndefined();
});
