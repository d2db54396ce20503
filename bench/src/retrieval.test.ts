import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConversations } from "./retrieval-data.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-retrieval-"));
});
afterAll(() => rm(folder, { recursive: true }));

const turn = {
  conv: "c1",
  id: "D1:1",
  session: 1,
  turn: 1,
  date: "1:56 pm on 8 May, 2023",
  speaker: "Ann",
  text: "Hello",
};
const write = async (docs: readonly object[], queries: readonly object[]): Promise<void> => {
  const lines = (all: readonly object[]): string => all.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await writeFile(join(folder, "docs.jsonl"), lines(docs));
  await writeFile(join(folder, "queries.jsonl"), lines(queries));
};

test("a turn becomes a chunk and a session a file, with date, speaker and picture descriptions", async () => {
  const second = { ...turn, id: "D1:2", turn: 2, text: "Look", caption: "a dog" };
  const query = { conv: "c1", cat: "temporal", question: "When?", gold: ["D1:2"] };
  await write([second, turn, { ...turn, id: "D2:1", session: 2 }], [query, { ...query, gold: [] }]);
  const [conversation] = await readConversations(folder);
  expect([...(conversation?.files.keys() ?? [])]).toEqual(["c1/session-001.md", "c1/session-002.md"]);
  expect(conversation?.files.get("c1/session-001.md")).toMatchObject([
    { id: "c1/D1:1", ordinal: 0, text: "Hello", speaker: "Ann", date: "2023-05-08" },
    { id: "c1/D1:2", ordinal: 1, text: "Look [shares a dog]" },
  ]);
  expect(conversation?.questions).toEqual([{ question: "When?", category: "temporal", gold: ["c1/D1:2"] }]);
});

test("a conversation's hash depends on its text, not on its name", async () => {
  await write([turn], []);
  const [one] = await readConversations(folder);
  await write([{ ...turn, conv: "other" }], []);
  const [other] = await readConversations(folder);
  expect(other?.hash).toBe(one?.hash ?? "");
  await write([{ ...turn, text: "Hullo" }], []);
  expect((await readConversations(folder))[0]?.hash).not.toBe(one?.hash ?? "");
});

test("the error for a malformed line names the file and line", async () => {
  await write([turn, { ...turn, session: "two" }], []);
  await expect(readConversations(folder)).rejects.toThrow("docs.jsonl, line 2");
});
