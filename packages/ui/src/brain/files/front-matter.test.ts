import { expect, test } from "bun:test";
import { splitFrontMatter } from "./front-matter.ts";

test("only complete front matter at the start is separated", () => {
  expect(splitFrontMatter("---\nname: a\nuse: b\n---\n# T\n")).toEqual({ head: "name: a\nuse: b", body: "# T\n" });
  expect(splitFrontMatter("---\nname: a\n---")).toEqual({ head: "name: a", body: "" });
  for (const body of ["# T\n---\na\n---\n", "---\nname: a\n", "--- a\nb\n---\n", ""])
    expect(splitFrontMatter(body)).toEqual({ head: undefined, body });
});
