/** Patches as models write them: the lines that are refused, and the places where hunks apply. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { applyHunks, parsePatch } from "./patch.ts";

const patchOf = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const refusalOf = (work: () => unknown): readonly [message: string, hint: string | undefined] => {
  try {
    work();
  } catch (error) {
    if (isHearthError(error, "tool.invalid")) return [error.message, error.hint];
    throw error;
  }
  throw new Error("it was accepted");
};
const hunksOf = (...lines: readonly string[]) => {
  const [section] = parsePatch(patchOf("*** Update File: a", ...lines));
  if (section?.kind !== "update") throw new Error("no update");
  return section.hunks;
};
/** The text after the hunks that these lines describe. */
const change = (text: string, ...lines: readonly string[]): string => applyHunks("a", text, hunksOf(...lines));

describe("a patch", () => {
  test("has a section per file, also with the line ends of Windows and space around it", () => {
    const text = patchOf(
      ...["*** Add File: new.md", "+one", "+", "*** Delete File: old.md", ""],
      ...["*** Update File: a.md", "*** Move to: b.md", "@@ head", "-x", "+y"],
    );
    const sections = [
      { kind: "add", path: "new.md", text: "one\n\n" },
      { kind: "delete", path: "old.md" },
      {
        ...{ kind: "update", path: "a.md", to: "b.md" },
        hunks: [{ anchors: ["head"], before: ["x"], after: ["y"], isAtEnd: false }],
      },
    ];
    expect(parsePatch(text)).toEqual(sections as never);
    expect(parsePatch(`\n  ${text.replaceAll("\n", "\r\n")}\n\n`)).toEqual(sections as never);
    expect(parsePatch(patchOf("*** Add File: empty"))).toEqual([{ kind: "add", path: "empty", text: "" }]);
    expect(parsePatch(patchOf("*** Update File: a", "*** Move to: b"))).toEqual([
      { kind: "update", path: "a", to: "b", hunks: [] },
    ]);
  });

  test.each([
    ["*** Add File: a\n+x", 1, 'it must begin with "*** Begin Patch"'],
    ["*** Begin Patch\n*** Delete File: a", 2, 'it must end with "*** End Patch"'],
    [patchOf(), 2, "it has no file section"],
    [patchOf("x"), 2, "expected a file header: *** Add File, *** Delete File or *** Update File"],
    [patchOf("*** Add File: a", "+x", "y"), 4, "every line of a new file begins with +"],
    [patchOf("*** Delete File: a", "", "x"), 4, "a deleted file must have no lines below it"],
    [patchOf("*** Update File: a"), 3, "nothing is changed in a"],
    [patchOf("*** Update File: a", "@@ only an anchor"), 3, "nothing is changed in a"],
    [patchOf("*** Update File: a", "-x", "y"), 4, "every line of a hunk begins with a space, - or +"],
    [patchOf("*** Update File: a", "*** Move to: b", "-x", "y"), 5, "every line of a hunk begins with a space, - or +"],
    [
      patchOf("*** Delete File: a", "*** Add File: a", "+x"),
      1,
      "it has two sections for a; put all hunks of a file into one section",
    ],
    [
      patchOf("*** Delete File: b", "*** Update File: a", "*** Move to: b"),
      1,
      "it has two sections for b; put all hunks of a file into one section",
    ],
  ])("%j is refused at line %p", (patch, line, why) => {
    expect(refusalOf(() => parsePatch(patch))).toEqual([`Line ${line} of the patch: ${why}.`, "Nothing was changed."]);
  });

  test("has hunks with anchors, of which line numbers do not count", () => {
    expect(
      hunksOf("@@ -1,2 +3,4 @@", "-a", "+b", "@@ class A", "@@ method()", "", " c", "@@", "+d", "*** End of File"),
    ).toEqual([
      { anchors: [], before: ["a"], after: ["b"], isAtEnd: false },
      { anchors: ["class A", "method()"], before: ["", "c"], after: ["", "c"], isAtEnd: false },
      { anchors: [], before: [], after: ["d"], isAtEnd: true },
    ]);
    expect(hunksOf("@@ -1 +1 @@ f()", "-a")[0]?.anchors).toEqual([]);
  });
});

describe("a hunk applies", () => {
  test.each([
    ["where its lines are", "a\nb\nc\n", ["-b", "+x"], "a\nx\nc\n"],
    ["at the first line", "a\nb\n", ["-a"], "b\n"],
    ["at the last line", "a\nb\n", ["-b"], "a\n"],
    ["to a file of one line", "a\n", ["-a"], ""],
    ["where they are without trailing space", "a  \nb\n", ["-a", "+x"], "x\nb\n"],
    ["where they are exactly, before it ignores space", "a \na\n", ["-a", "+x"], "a \nx\n"],
    ["below its anchor", "a\nm\na\na\n", ["@@ m", "-a", "+x"], "a\nm\nx\na\n"],
    ["below its last anchor", "m\nn\na\nm\na\n", ["@@ n", "@@ m", "-a", "+x"], "m\nn\na\nm\nx\n"],
    ["after its anchor if it only adds", "m\nb\n", ["@@ m", "+x"], "m\nx\nb\n"],
    ["at the end if it only adds without an anchor", "a\nb\n", ["+x"], "a\nb\nx\n"],
    ["at the end if it says so, also with an anchor", "m\nb\n", ["@@ m", "+x", "*** End of File"], "m\nb\nx\n"],
    ["at the last of equal places if it says so", "a\nb\na\n", ["-a", "+x", "*** End of File"], "a\nb\nx\n"],
    ["to an empty file", "", ["+x"], "x\n"],
    ["after the hunk before it", "a\nb\na\n", ["-b", "+y", "@@", "-a", "+x"], "a\ny\nx\n"],
    ["and keeps that the last line has no end", "a\nb", ["-a", "+x"], "x\nb"],
    ["and ends a last line that it changes", "a\nb", ["-b", "+x"], "a\nx\n"],
    ["and keeps the line ends of Windows", "a\r\nb\r\n", ["-b", "+x", "+y"], "a\r\nx\r\ny\r\n"],
  ])("%s", (_title, text, lines, expected) => {
    expect(change(text, ...lines)).toBe(expected);
  });

  test.each([
    ["a\nb\n", ["-x"], "hunk 1 of a does not fit: its lines are not in the file.", "Read the file again."],
    ["a\nb\n", ["-a", "@@", "-a"], "hunk 2 of a does not fit: its lines are not in the file.", "Read the file again."],
    ["a\nb\na\n", ["-a"], "hunk 1 of a fits in 2 places.", "Give more lines around it, or a line above it after @@."],
    ["a \na  \n", ["-a"], "hunk 1 of a fits in 2 places.", "Give more lines around it, or a line above it after @@."],
    ["a\n", ["@@ m", "-a"], 'hunk 1 of a: the line "m" is not there.', "Nothing was changed."],
    ["m\na\n", ["@@ m", "@@ m", "-a"], 'hunk 1 of a: the line "m" is not there.', "Nothing was changed."],
    [
      "a\nb\n",
      ["-a", "*** End of File"],
      "hunk 1 of a does not fit: its lines are not in the file.",
      "Read the file again.",
    ],
    ["a\nm\n", ["@@ m", "-a"], "hunk 1 of a does not fit: its lines are not in the file.", "Read the file again."],
  ])("to %j with %j not", (text, lines, message, hint) => {
    expect(refusalOf(() => change(text, ...lines))).toEqual([message, hint]);
  });
});
