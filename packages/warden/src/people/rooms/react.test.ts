/** Reactions: each change of an emoji is one event, however often it is requested. */
import { expect, test } from "bun:test";
import type { AgentId, EventId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { react } from "./react.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const [ANA, BEN] = ["agent_ana" as AgentId, "agent_ben" as AgentId];
const ROOM = "room_1" as RoomId;
const MESSAGE = "evt_1" as EventId;
const HOLDS = { kind: "absent", table: "leases", where: { name: "none" } } as const;
const FAILS = { kind: "exists", table: "leases", where: { name: "none" } } as const;

const open = () => {
  const world = createFakeWorld({ hash });
  const streams = createDurableStreams({ world, store: createMemoryStore(), blobs: createMemoryBlobs(hash) });
  const change = (isOn: boolean, by = ANA, emoji = "👍", guard: typeof HOLDS | typeof FAILS = HOLDS) =>
    react({ world, streams }, { room: ROOM, message: MESSAGE, by, emoji, isOn }, guard);
  const events = async () =>
    (await streams.read(`room:${ROOM}`, 0, 1000)).flatMap((event) =>
      event.type === "message-reacted" ? [[event.by, event.emoji, event.isOn]] : [],
    );
  return { world, streams, change, events };
};

test("a reaction is added and removed any number of times, and a repeat changes nothing", async () => {
  const { change, events } = open();
  const changes = 40;
  for (let count = 0; count < changes; count += 1) {
    const made = await change(count % 2 === 0);
    expect(made).toMatchObject({ isOn: count % 2 === 0, offset: count + 1 });
    expect(await change(count % 2 === 0)).toEqual(made);
  }
  expect(await events()).toHaveLength(changes);
});

test("each agent and each emoji has its own state", async () => {
  const { change, events } = open();
  await change(true);
  await change(true, BEN);
  await change(true, ANA, "🎉");
  await change(false);
  expect(await events()).toEqual([
    [ANA, "👍", true],
    [BEN, "👍", true],
    [ANA, "🎉", true],
    [ANA, "👍", false],
  ]);
});

test("two requests at once make one change", async () => {
  const { change, events } = open();
  const [one, other] = await Promise.all([change(true), change(true)]);
  expect(one).toEqual(other!);
  expect(await events()).toHaveLength(1);
});

test("an emoji that was never added cannot be removed, and nothing changes if the message is gone", async () => {
  const { change, events } = open();
  await expect(change(false)).rejects.toMatchObject({
    code: "request.invalid",
    message: "You have not added 👍 to this message.",
    hint: "Read the reactions of the room's messages: hearth room events ROOM",
  });
  expect(await change(true, ANA, "👍", FAILS)).toBeUndefined();
  expect(await events()).toEqual([]);
});
