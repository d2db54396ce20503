import { expect, test } from "bun:test";
import { type AgentId, type EventId, type MessageEvent, OWNER_LABEL, type RoomId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import type { Frozen } from "./frozen.ts";
import { createLaterMessages } from "./later-messages.ts";

const room = "room_1" as RoomId;
const ada = "agent_ada" as AgentId;
const bot = "agent_bot" as AgentId;
const activation = { id: "act_1", room, agent: bot } as Row<"activations">;
const frozen = { names: { [ada]: "Ada" }, zone: "UTC", model: "m", fallback: [] } as unknown as Frozen;

const setUp = async () => {
  const world = createBunWorld();
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(world.hash) });
  const messages = createLaterMessages({
    kernel: { streams },
    people: { records: { get: async () => ({ id: bot }) }, standingOf: async () => "member" } as never,
    attachedParts: async () => new Map(),
  });
  const append = async (event: object): Promise<EventId> => {
    const id = world.ids.fresh("evt");
    await streams.commit({ writes: [], events: [{ stream: `room:${room}`, id, event: event as MessageEvent }] });
    return id;
  };
  const say = (text: string, more: Partial<MessageEvent> = {}): Promise<EventId> =>
    append({
      type: "message",
      room,
      author: ada,
      at: 0,
      body: { format: "markdown", text },
      mentions: [],
      causes: [],
      label: OWNER_LABEL,
      ...more,
    });
  const remove = (message: EventId) => append({ type: "message-deleted", room, at: 1, message, by: ada });
  return { messages, say, remove };
};
const none = async (): Promise<ReadonlySet<string>> => new Set();

test("`meanwhile` returns later messages of others, and of this agent in other activations", async () => {
  const { messages, say, remove } = await setUp();
  await say("before");
  await say("by others");
  await say("its present one", { author: bot, activation: activation.id });
  await say("its earlier one", { author: bot });
  await say("from a stranger", { author: "agent_gone" as AgentId });
  const excluded = await say("excluded");
  await remove(await say("deleted"));
  const read = await messages.readNewer(activation, frozen, 1, async () => new Set([excluded]));
  expect(read.map(({ message }) => [message.text, message.role === "user" && message.note])).toEqual([
    ["by others", "Ada, Thu 1970-01-01 00:00 UTC, while you waited"],
    ["its earlier one", "you, to them, Thu 1970-01-01 00:00 UTC, while you waited"],
    ["from a stranger", "someone, Thu 1970-01-01 00:00 UTC, while you waited"],
  ]);
});

test("`meanwhile` says in its first note that earlier messages are left out", async () => {
  const { messages, say } = await setUp();
  for (let index = 0; index < 70; index += 1) await say(`message ${index}`);
  const read = await messages.readNewer(activation, frozen, 0, none);
  expect(read.length).toBeLessThan(70);
  expect(read.at(-1)?.message.text).toBe("message 69");
  const notes = read.map(({ message }) => message.role === "user" && message.note);
  expect(notes[0]).toEndWith(", while you waited, after others that are not shown");
  expect(notes[1]).toEndWith(", while you waited");
});

test("`read` returns the named messages in their present form, without deleted ones", async () => {
  const { messages, say, remove } = await setUp();
  const first = await say("first");
  await say("second");
  await say("third");
  await remove(first);
  const read = await messages.read(activation, frozen, [1, 3]);
  expect(read.map(({ message }) => message.text)).toEqual(["third"]);
});
