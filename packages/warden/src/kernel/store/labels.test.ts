import { expect, test } from "bun:test";
import type { Label } from "@hearth/protocol";
import { readLabel, writeLabel } from "./labels.ts";

test("a stored label is read as it was written, and a missing one as undefined", () => {
  const label: Label = { integrity: "trusted", readers: "anyone", sources: ["a page"] };
  expect(readLabel(writeLabel(label))).toEqual(label);
  expect([writeLabel(undefined), readLabel(null)]).toEqual([null, undefined]);
});

test("an unreadable label counts as untrusted and private", () => {
  for (const text of ["", "{", "{}", '{"integrity":"high"}'])
    expect(readLabel(text)).toMatchObject({ integrity: "untrusted", readers: "private" });
});
