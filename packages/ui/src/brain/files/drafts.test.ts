/** Unsaved text of brain files in the storage of the browser. */
import { expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";
import { createDrafts } from "./drafts.ts";

const [MAIN, OTHER] = ["agent_1" as AgentId, "agent_2" as AgentId];

test("a draft is stored per agent and file until it is dropped", () => {
  const storage = createMemoryStorage();
  const drafts = createDrafts(storage, MAIN);
  expect([drafts.get("b.md"), drafts.paths()]).toEqual([undefined, []]);
  expect(drafts.put("b.md", { text: "two", hash: "1" })).toBe(true);
  drafts.put("a.md", { text: "" });
  storage.set("theme", "dark");
  const reopened = createDrafts(storage, MAIN);
  expect([reopened.get("b.md"), reopened.get("a.md"), reopened.paths()]).toEqual([
    { text: "two", hash: "1" },
    { text: "" },
    ["a.md", "b.md"],
  ]);
  expect(createDrafts(storage, OTHER).paths()).toEqual([]);
  reopened.drop("b.md");
  expect([reopened.get("b.md"), drafts.paths(), storage.get("theme")]).toEqual([undefined, ["a.md"], "dark"]);
});

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["a text", '"x"'],
  ["no text", "{}"],
  ["another type of text", '{"text":1}'],
])("a stored value that is %s is no draft", (_what, stored) => {
  const storage = createMemoryStorage();
  const drafts = createDrafts(storage, MAIN);
  drafts.put("a.md", { text: "x" });
  const [name = ""] = storage.names();
  storage.set(name, stored);
  expect(drafts.get("a.md")).toBeUndefined();
  storage.set(name, '{"text":"x","hash":2}');
  expect(drafts.get("a.md")).toEqual({ text: "x" });
});

test("a draft that the browser cannot store lasts until the page closes, and hides no later one", () => {
  const storage = createMemoryStorage();
  let isFull = false;
  const full = {
    ...storage,
    set(name: string, value: string) {
      if (isFull) throw new Error("the quota is exceeded");
      storage.set(name, value);
    },
  };
  const drafts = createDrafts(full, MAIN);
  drafts.put("a.md", { text: "old" });
  isFull = true;
  expect(drafts.put("a.md", { text: "new" })).toBe(false);
  expect([drafts.get("a.md"), drafts.paths(), createDrafts(full, MAIN).get("a.md")]).toEqual([
    { text: "new" },
    ["a.md"],
    undefined,
  ]);
  isFull = false;
  expect(drafts.put("a.md", { text: "newest" })).toBe(true);
  expect([drafts.get("a.md"), createDrafts(full, MAIN).get("a.md")]).toEqual([{ text: "newest" }, { text: "newest" }]);
  isFull = true;
  drafts.put("a.md", { text: "again" });
  drafts.drop("a.md");
  expect([drafts.get("a.md"), drafts.paths()]).toEqual([undefined, []]);
});
