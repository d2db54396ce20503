import { expect, test } from "bun:test";
import { createFakeAgent } from "../../house/fake-ui.tsx";
import { completeMention, findMentionQuery, suggestAgents } from "./mention.ts";

const main = createFakeAgent(2, "Main");
const scout = createFakeAgent(3, "Scout");
const archive = { ...createFakeAgent(4, "Archive Scribe"), handle: "archive" };
const all = [main, scout, archive];

test.each([
  ["@", 0, ""],
  ["hello @sc", 6, "sc"],
  ["(@Sc", 1, "sc"],
  ["line\n@archive-s", 5, "archive-s"],
])("an @ before the cursor is completed: %j", (text, start, query) => {
  expect(findMentionQuery(text, text.length)).toEqual({ start, query });
});

test.each(["", "a@b", "%j is not completed", "x.@y", "mail me at a@b.example", "@@"])(
  "%j is nothing to complete",
  (text) => {
    expect(findMentionQuery(text, text.length)).toBeUndefined();
  },
);

test("only text before the cursor counts, also in a long text", () => {
  expect(findMentionQuery("@main and more", 3)).toEqual({ start: 0, query: "ma" });
  const long = `${"x ".repeat(50_000)}@sc`;
  expect(findMentionQuery(long, long.length)).toEqual({ start: 100_000, query: "sc" });
});

test("agents match by the start of their handle, then of a word of their name", () => {
  expect(suggestAgents("", all)).toEqual(all);
  expect(suggestAgents("sc", all)).toEqual([scout, archive]);
  expect(suggestAgents("nobody", all)).toEqual([]);
});

test("the handle and a space replace the typed text", () => {
  expect(completeMention("ask @sc", { start: 4, query: "sc" }, scout)).toEqual({ text: "ask @scout ", cursor: 11 });
  expect(completeMention("ask @sc now", { start: 4, query: "sc" }, scout)).toEqual({
    text: "ask @scout now",
    cursor: 11,
  });
});
