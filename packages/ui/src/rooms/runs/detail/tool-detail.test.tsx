import { expect, test } from "bun:test";
import { createFakeMe, createFakeUi, fakeMain } from "../../../house/fake-ui.tsx";
import { activationId, createFakeTool } from "../../fake-room.ts";
import { renderPart, textOf } from "../../fake-view.tsx";
import type { ToolPart } from "../tool-words.ts";
import { ToolDetail } from "./tool-detail.tsx";

const draw = (part: Partial<ToolPart>, ui = createFakeUi()): string =>
  renderPart(<ToolDetail part={createFakeTool(part)} activation={activationId(1)} agent={fakeMain.id} />, {}, ui);

test("a call shows its complete input and output", () => {
  const markup = draw({ name: "shell", input: { command: "ls\n-l" }, output: "a.md\nb.md" });
  expect(markup).toContain("ls\n-l");
  expect(markup).toContain("a.md\nb.md");
});

test("invisible characters in a tool's input and output are shown", () => {
  const markup = draw({ name: "shell", input: { command: "rm \u202etxt" }, output: "\u200bx" });
  expect(markup).not.toMatch(/[\u202e\u200b]/);
  expect(markup).toContain("U+202E");
});

test("a change of a file is shown as a diff instead of its input", () => {
  const text = textOf(
    draw({ name: "edit", input: { path: "a.md", old: "one\ntwo", new: "one\nthree" }, output: "ok" }),
  );
  expect(text).toContain("a.md");
  expect(text).toContain("Removed: two");
  expect(text).toContain("Added: three");
  expect(text).toContain("Output ok");
  expect(text).not.toContain("Input");
  expect(textOf(draw({ name: "edit", input: { path: 3 } }))).toContain("Input");
});

test("an admin can undo a finished change of the brain", () => {
  const saved = { name: "write_brain", input: { path: "USER.md", text: "x" }, output: "ok" } as const;
  expect(draw(saved)).toContain("Undo</button>");
  expect(draw({ ...saved, state: "failed" })).not.toContain("Undo</button>");
  expect(draw({ name: "write", input: { path: "a", content: "b" } })).not.toContain("Undo</button>");
  expect(draw(saved, createFakeUi({ houseSnapshot: { me: createFakeMe("w") } }))).not.toContain("Undo</button>");
});
