/**
 * Forgetting a page that an agent read: content unrelated to the page stays, the rest is deleted.
 */
import { expect, test } from "bun:test";
import type { ModelRequest } from "@hearth/protocol";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { createScanParts } from "../../src/fixtures/memory.ts";
import { call, lastIn, resultsIn } from "../../src/fixtures/talk.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";

type Json = ReturnType<typeof JSON.parse>;

const URL_OF_PAGE = "http://stranger.example/page";
const PAGE = "The locker in the hall opens with a word that Quillfeather chose; its number is 4711.";
const TOOLS = ["time", "http_fetch"];
/** Replies with and without content of the page. */
const TOLD = [
  "The locker in the hall opens with a word.",
  "It was Quillfeather.",
  "It is 4711.",
  "Opens with a word.",
] as const;
const OTHERS = ["The bicycle is red.", "It is in the hall."] as const;
const LINES: readonly string[] = [...TOLD, ...OTHERS];

/** Reads the page on request, replies with the line of a given number, or repeats the message. */
const obey = (request: ModelRequest): ScriptedReply => {
  const said = lastIn(request);
  if (resultsIn(request).length > 0) return { text: "I have done it." };
  if (said === "read") return call("http_fetch", { url: URL_OF_PAGE });
  return { text: LINES[Number(said)] ?? said.replace("say ", "") };
};

const open = async (disk: TestDisk): Promise<TestHouse> => {
  const upstream = createFakeUpstream(() => `HTTP/1.1 200 OK\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`);
  const house = await openTestHouse({
    ...{ disk, script: obey, memory: createScanParts(), stages: { labels: () => ({ verdict: "allowed" }) } },
    config: `tools = ${JSON.stringify(TOOLS)}\n`,
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "stranger.example": [["93.184.216.34"]] }),
      tls: createFakeTls(),
    },
  });
  await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "stranger.example" }] } });
  return house;
};

const say = async (house: TestHouse, text: string): Promise<void> => {
  const { length } = await house.messages();
  await house.post(text);
  await house.until(length + 2);
};

const forget = async (house: TestHouse, body: Json): Promise<Json> => {
  const { status, json } = await house.ask("POST", "/api/agents/main/memory/forget", body);
  expect({ status, json }).toMatchObject({ status: 200 });
  return json;
};

/** The agent's replies that still exist. */
const repliesOf = async (house: TestHouse): Promise<readonly string[]> => {
  const all = await house.messages();
  const [asked] = all;
  return all
    .filter(({ type, author, body }) => type === "message" && author !== asked?.author && body.text !== "")
    .map(({ body }) => body.text);
};

test("forgetting a page deletes the replies that quote it, and lists the others, which are deleted on request", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "say Before.");
  await say(house, "read");
  for (const at of LINES.keys()) await say(house, String(at));
  expect(await repliesOf(house)).toEqual(["Before.", "I have done it.", ...LINES]);

  const { kept, keptCount, messages } = await forget(house, { source: "stranger.example" });
  expect(await repliesOf(house)).toEqual(["Before.", "I have done it.", ...OTHERS]);
  expect([messages, keptCount, kept.map(({ text }: Json) => text)]).toEqual([
    ...[TOLD.length, OTHERS.length + 1],
    ["I have done it.", ...OTHERS],
  ]);
  const steps = JSON.stringify(await disk.store.select({ table: "steps" }));
  // Ids and hashes are random, and may contain the digits.
  expect([/\b4711\b/.test(steps), steps.includes("Quillfeather")]).toEqual([false, false]);

  // Asked again, it still lists the replies; the page's text is gone, so they cannot be compared
  // again.
  expect(await forget(house, { source: "stranger.example" })).toMatchObject({ messages: 0, keptCount: 3 });
  expect(await forget(house, { source: URL_OF_PAGE, replies: true })).toMatchObject({ messages: 3, kept: [] });
  expect(await repliesOf(house)).toEqual(["Before."]);
});

test("a name that a person used first stays, although the page contains it", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  await say(house, "read");
  await say(house, "say I have asked Quillfeather.");
  const { kept } = await forget(house, { source: URL_OF_PAGE });
  expect(kept.map(({ text }: Json) => text)).toContain("I have asked Quillfeather.");
});

test("a short fact is found by its words, in notes, in the daily log and in the agent's messages", async () => {
  using disk = createTestDisk();
  await using house = await open(disk);
  const remember = (text: string) => house.ask("POST", "/api/agents/main/memory/remember", { text });
  await remember("PIN is 4711");
  await remember("the barrel holds 4711 litres");
  for (const reply of ["It is 4711.", "It is 4712."]) await say(house, `say ${reply}`);
  const log = `- 14:05 Ada → “It is 4711.” (act_${"0".repeat(26)})`;
  const notes = { "notes.md": "my PIN: 4711\nmilk\n", "memory/2026-01-31.md": `${log}\n` };
  for (const [path, text] of Object.entries(notes))
    expect((await house.ask("PUT", `/api/agents/main/brain/file?path=${path}`, { text })).status).toBeLessThan(300);
  await forget(house, { source: "MEMORY.md:1" });
  expect(await repliesOf(house)).toEqual(["It is 4712."]);
  expect([await disk.brains.read("main/notes.md"), await disk.brains.read("main/memory/2026-01-31.md")]).toEqual([
    "milk\n",
    "",
  ]);
  // A note that shares only a number with it is a different fact.
  expect(await disk.brains.read("main/MEMORY.md")).toContain("the barrel holds 4711 litres");
});
