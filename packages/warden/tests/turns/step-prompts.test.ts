/**
 * The parts of a model call's prompt: derived from stored inputs, for readers of the room, without
 * texts that are gone or that its people may not see.
 */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { ModelRequest, StepPrompt } from "@hearth/protocol";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { call, resultsIn, waitForEnd } from "../../src/fixtures/talk.ts";
import { uploadTo } from "../../src/fixtures/uploads-of-house.ts";
import { drawPng } from "../../src/models/pictures/memory-pictures.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

const usage = { inputTokens: 100, outputTokens: 5, cacheReadTokens: 300, cacheWriteTokens: 0 };
const listTwice = (request: ModelRequest): ScriptedReply =>
  resultsIn(request).length < 2
    ? { ...call("list", {}, `list${resultsIn(request).length}`), usage: { ...usage, cacheReadTokens: 0 } }
    : { text: "done", usage };

const openHouse = (disk: Parameters<typeof openTestHouse>[0]["disk"], script = listTwice) =>
  openTestHouse({ disk, script, config: 'tools = ["list", "read"]\n' });

const firstRun = async (house: TestHouse): Promise<string> => {
  await house.post("What is in the workspace, please?");
  const [run] = await waitForEnd(house, "main", 1);
  return run.id;
};

const promptOf = async (house: TestHouse, id: string, step: number, key?: string) =>
  house.ask("GET", `/api/activations/${id}/steps/${step}/prompt`, undefined, key);

const titles = ({ parts }: StepPrompt): readonly string[] =>
  parts.map(({ kind, name, count }) =>
    [kind, name, count > 1 ? count : undefined].filter((part) => part !== undefined).join(" "),
  );

const tokensOf = ({ parts }: StepPrompt, kind: string): number =>
  parts.filter((part) => part.kind === kind).reduce((sum, { tokens }) => sum + tokens, 0);

const estimate = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

test("the parts are the tools, the brain's files, the rules, the messages and the results of earlier steps", async () => {
  using disk = createTestDisk();
  await disk.brains.write("main/MEMORY.md", "the bike is red");
  await disk.brains.write("main/instructions/tone.md", "Be brief.");
  await using house = await openHouse(disk);
  const id = await firstRun(house);
  const first: StepPrompt = (await promptOf(house, id, 0)).json;
  expect(titles(first)).toEqual([
    "tools 2",
    "file SOUL.md",
    "file USER.md",
    "file instructions/tone.md",
    "rules",
    "file MEMORY.md",
    "message",
  ]);
  expect(first.tokens).toBe(first.parts.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(first.usage).toMatchObject({ inputTokens: 100, cacheReadTokens: 0 });
  // The provider reported no cached tokens.
  expect(first.parts.every(({ cachedTokens }) => cachedTokens === undefined)).toBe(true);
  // The sizes are those of the request that the model received.
  const [request] = house.model.requests;
  expect(tokensOf(first, "tools")).toBe(estimate(JSON.stringify(request?.tools)));
  const system = request?.system.map(({ text }) => text).join("\n\n") ?? "";
  const joined = tokensOf(first, "file") + tokensOf(first, "rules");
  expect(Math.abs(joined - estimate(system))).toBeLessThanOrEqual(6);

  const third: StepPrompt = (await promptOf(house, id, 4)).json;
  expect(titles(third)).toEqual([...titles(first), "reply 2", "result list 2"]);
  expect(third.usage).toMatchObject(usage);
  // Three quarters are cached: the beginning of the prompt.
  const cached = third.parts.reduce((sum, { cachedTokens = 0 }) => sum + cachedTokens, 0);
  expect(cached).toBe(Math.round(third.tokens * 0.75));
  expect(third.parts[0]?.cachedTokens).toBe(third.parts[0]?.tokens);
  expect(third.parts.at(-1)?.cachedTokens).toBe(0);
});

test("earlier messages are the conversation; a deleted message and forgotten files have no size", async () => {
  using disk = createTestDisk();
  await disk.brains.write("main/MEMORY.md", "the bike is red");
  await using house = await openHouse(disk, () => ({ text: "done" }));
  await house.post("one");
  await house.until(2);
  const message = await house.post("two");
  await house.until(4);
  const [, run] = await waitForEnd(house, "main", 2);
  expect(titles((await promptOf(house, run.id, 0)).json)).toContain("conversation 2");

  await disk.blobs.erase(createHash("sha256").update("the bike is red").digest("hex"));
  await house.ask("DELETE", `/api/rooms/main/messages/${message.id}`);
  const { parts }: StepPrompt = (await promptOf(house, run.id, 0)).json;
  expect(parts.filter(({ erased }) => erased === true)).toEqual([
    { kind: "message", count: 1, tokens: 0, erased: true },
    { kind: "file", name: "MEMORY.md", count: 1, tokens: 0, erased: true },
  ]);
});

test("files of a message are parts by their name, with the text that the model read", async () => {
  using disk = createTestDisk();
  await using house = await openHouse(disk, () => ({ text: "done" }));
  const text = "milk, eggs and bread\n".repeat(20);
  const { id: upload } = await uploadTo(house, "list.txt", new TextEncoder().encode(text));
  await house.ask("POST", "/api/rooms/main/messages", { text: "see", attachments: [upload] });
  const [run] = await waitForEnd(house, "main", 1);
  const { parts }: StepPrompt = (await promptOf(house, run.id, 0)).json;
  const file = parts.find(({ kind }) => kind === "attachment");
  expect(file).toMatchObject({ name: "list.txt", count: 1 });
  // The house adds one line before the text, and one after it.
  expect(file?.tokens).toBeGreaterThan(estimate(text));
  expect(file?.tokens).toBeLessThan(estimate(text) + 40);
});

test("a page about a prompt makes no transcript, because making one costs money", async () => {
  using disk = createTestDisk();
  const sections = '[voice]\ntranscribe = { kind = "fake" }\n';
  await using house = await openTestHouse({ disk, script: () => ({ text: "done" }), sections });
  const { id: upload } = await uploadTo(house, "note.wav", createWave());
  await house.ask("POST", "/api/rooms/main/messages", { text: "listen", attachments: [upload] });
  const [run] = await waitForEnd(house, "main", 1);
  const transcripts = () => disk.store.select({ table: "transcripts" });
  expect(await transcripts()).toHaveLength(1);
  await disk.store.commit({ writes: [{ kind: "delete", table: "transcripts", where: {} }] });
  const { parts }: StepPrompt = (await promptOf(house, run.id, 0)).json;
  expect(parts.find(({ kind }) => kind === "attachment")).toMatchObject({ name: "note.wav" });
  expect(await transcripts()).toEqual([]);
});

test("a page about a prompt describes no picture, because that costs money", async () => {
  using disk = createTestDisk();
  const sections = '[models."fake/model"]\nsees = false\n[descriptions]\nkind = "fake"\n';
  await using house = await openTestHouse({ disk, script: () => ({ text: "done" }), sections });
  const { id: upload } = await uploadTo(house, "red.png", drawPng(8, 4, [220, 30, 30]));
  await house.ask("POST", "/api/rooms/main/messages", { text: "look", attachments: [upload] });
  const [run] = await waitForEnd(house, "main", 1);
  const rows = () => disk.store.select({ table: "picture_descriptions" });
  expect(await rows()).toMatchObject([{ text: "A picture of the type image/png with 8 × 4 pixels.", source: "fake" }]);
  await disk.store.commit({ writes: [{ kind: "delete", table: "picture_descriptions", where: {} }] });
  const { parts }: StepPrompt = (await promptOf(house, run.id, 0)).json;
  expect(parts.find(({ kind }) => kind === "attachment")).toMatchObject({ name: "red.png" });
  expect(await rows()).toEqual([]);
});

/** One second of silence. */
const createWave = (): Uint8Array => {
  const bytes = new Uint8Array(44 + 8000).fill(128, 44);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.write("data", 36);
  for (const [at, value] of [
    [4, 8036],
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, 8000],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at);
  bytes.set(head);
  return bytes;
};

test("a forgotten input has no parts", async () => {
  using disk = createTestDisk();
  await using house = await openHouse(disk);
  const id = await firstRun(house);
  await disk.store.commit({
    writes: [
      { kind: "update", table: "activations", where: { id: id as never }, set: { frozen: null, frozen_blob: null } },
    ],
  });
  expect((await promptOf(house, id, 0)).json).toMatchObject({ parts: [], tokens: 0, erased: true });
});

test("the private files of a run are hidden when more people read its room, and non-readers see nothing", async () => {
  using disk = createTestDisk();
  await disk.brains.write("main/MEMORY.md", "the bike is red");
  await using house = await openHouse(disk);
  const id = await firstRun(house);
  const ben = (await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "human" } })).json;
  const { key } = (await house.ask("POST", "/api/keys", { agent: ben.id, name: "k" })).json;
  expect((await promptOf(house, id, 0, key)).status).toBe(404);
  const room = await house.room();
  await house.ask("PUT", `/api/rooms/${room.id}/grants/${ben.id}`, { level: "r" });
  const { status, json } = await promptOf(house, id, 0, key);
  expect(status).toBe(200);
  expect(titles(json)).toContain("hidden 2");
  expect(JSON.stringify(json)).not.toMatch(/USER\.md|MEMORY\.md/);
  // The name of a hidden file stays hidden when its text is gone.
  await disk.blobs.erase(createHash("sha256").update("the bike is red").digest("hex"));
  expect(JSON.stringify((await promptOf(house, id, 0, key)).json)).not.toContain("MEMORY.md");
});

test("a step that is not a model call, and an unknown run, are not found", async () => {
  using disk = createTestDisk();
  await using house = await openHouse(disk);
  const id = await firstRun(house);
  for (const step of [1, 99]) expect((await promptOf(house, id, step)).status).toBe(404);
  expect((await promptOf(house, `act_${"1".repeat(26)}`, 0)).status).toBe(404);
  expect((await promptOf(house, id, Number.NaN)).status).toBe(400);
});
