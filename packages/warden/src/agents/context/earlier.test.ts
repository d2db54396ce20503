/**
 * Search of a conversation's messages before the prompt's range: matches words, keeps the author's
 * label, and uses each message's current text.
 */
import { expect, test } from "bun:test";
import type { AgentId, EventId, Integrity, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { BOT, PERSON } from "../../fixtures/brain.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createFindEarlier } from "./earlier.ts";
import { createSessions, newCompaction } from "./sessions.ts";
import { createSummaries } from "./compaction/summaries.ts";

const ROOM = `room_${"0".repeat(26)}` as RoomId;
const GUEST = `agent_${"0".repeat(25)}9` as AgentId;
const eventId = (index: number): EventId => `evt_${String(index).padStart(26, "0")}` as EventId;
const TURN = { room: ROOM, trigger: "direct", parent: null } as const;

const SAID = [
  [PERSON, "The lamp by the stove is green."],
  [BOT.id, "I shall remember the stove."],
  [GUEST, "The lamp by the well belongs to the mayor."],
  [PERSON, "The lamp by the bed is blue."],
  [PERSON, "Nothing else."],
] as const;

/** Opens a conversation whose first four messages are compacted, unless `isCompacted` is false. */
const open = async ({ isCompacted = true } = {}) => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(world.hash, world.clock.now);
  const streams = createDurableStreams({ world, store, blobs, house: "alone" });
  const stream = `room:${ROOM}` as const;
  for (const [index, [author, text]] of SAID.entries()) {
    const message = { room: ROOM, author, at: 60_000 * index, body: { format: "markdown", text } } as const;
    const event = { ...message, attachments: [], mentions: [], causes: [] };
    await streams.append({ stream, id: eventId(index), event: { type: "message", ...event } });
  }
  const begin = { agent: BOT.id, room: ROOM, place: 1, at: 0, after: 0, through: 4, head: 5, messages: 4 };
  const row = newCompaction({
    ...begin,
    state: "done",
    summary: await blobs.put(new TextEncoder().encode("They talked.")),
  });
  if (isCompacted) await store.commit({ writes: [{ kind: "insert", table: "compactions", row }] });
  const standings: Record<AgentId, Integrity> = { [PERSON]: "owner", [GUEST]: "untrusted", [BOT.id]: "trusted" };
  const sessions = createSessions({ clock: world.clock, store, summaries: createSummaries(blobs) });
  const find = createFindEarlier({
    ...{ store, streams, sessions, records: { find: async () => undefined } },
    authorsOf: async () => ({ names: { [PERSON]: "Ana", [GUEST]: "Bo", [BOT.id]: "Main" }, standings }),
  });
  return { find: (query: string, turn = {}) => find(BOT, { ...TURN, ...turn }, query), streams, stream };
};

test("the message with the rarest words of the question is first, and weak matches are left out", async () => {
  const { find } = await open();
  expect(await find("which lamp stands by the stoves?")).toMatchObject([
    {
      id: eventId(0),
      who: "Ana",
      when: "Thu 1970-01-01 00:00 UTC",
      text: "The lamp by the stove is green.",
      label: { integrity: "owner" },
    },
    { id: eventId(1), who: "you", label: { integrity: "trusted" } },
  ]);
  expect(await find("where is the violin?")).toEqual([]);
});

test("a stranger's message has a stranger's label", async () => {
  const { find } = await open();
  expect(await find("whose is the lamp by the well?")).toMatchObject([
    { who: "Bo", label: { integrity: "untrusted", sources: ["a message of Bo"] } },
  ]);
});

test("an edited message is found with its last edit, and a deleted one is not found", async () => {
  const { find, streams, stream } = await open();
  const at = { room: ROOM, by: PERSON, at: 9 } as const;
  const edit = {
    type: "message-edited",
    ...at,
    message: eventId(0),
    body: { format: "markdown", text: "A stove." },
  } as const;
  await streams.append({ stream, id: eventId(10), event: edit });
  await streams.append({ stream, id: eventId(11), event: { type: "message-deleted", ...at, message: eventId(3) } });
  expect((await find("the stove"))[0]?.text).toBe("I shall remember the stove.");
  expect((await find("the stove")).map(({ text }) => text)).toContain("A stove.");
  expect(await find("the bed")).toEqual([]);
});

test("a turn that reads its whole conversation, or has an isolated session, finds nothing", async () => {
  expect(await (await open({ isCompacted: false })).find("the stove")).toEqual([]);
  const { find } = await open();
  for (const turn of [{ trigger: "job" }, { trigger: "heartbeat" }, { parent: "act_1" }])
    expect(await find("the stove", turn)).toEqual([]);
});
