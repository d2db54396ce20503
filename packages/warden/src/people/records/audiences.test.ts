import { expect, test } from "bun:test";
import type { AgentId, AgentRecord, RoomRecord } from "@hearth/protocol";
import { createFakeIds } from "../../fixtures/ids.ts";
import { createAudiences } from "./audiences.ts";

const ids = createFakeIds();
const record = (kind: "human" | "bot", house = ids("house")) =>
  ({ type: "agent", id: ids("agent"), house, content: { kind } }) as AgentRecord;
const room = { type: "room", id: ids("room") } as RoomRecord;

/**
 * The audience of a bot in a room with these readers, where those in `deciding` have `x` on its
 * house.
 */
const audienceOf = (bot: AgentRecord, readers: readonly AgentRecord[], deciding: readonly AgentId[]) =>
  createAudiences({
    permissions: {
      readers: async () => new Set([bot.id, ...readers.map(({ id }) => id)]),
      levelOf: async ({ agent }, place) => (place === bot.house && deciding.includes(agent) ? "x" : "w"),
    },
    records: { find: async (_type: string, id: string) => readers.find((reader) => reader.id === id) } as never,
  })(bot, room);

const bot = record("bot");
const [owner, other, stranger, peer] = [record("human"), record("human"), record("human"), record("bot")];

test("a room whose readers all decide in the agent's house is private", async () => {
  expect(await audienceOf(bot, [owner], [owner.id])).toBe("private");
  expect(await audienceOf(bot, [owner, other], [owner.id, other.id])).toBe("private");
  expect(await audienceOf(bot, [], [])).toBe("private");
});

test("a reader who does not decide there, or another bot, gives the room its own audience", async () => {
  expect(await audienceOf(bot, [owner, stranger], [owner.id])).toBe(`room:${room.id}`);
  expect(await audienceOf(bot, [stranger], [owner.id])).toBe(`room:${room.id}`);
  expect(await audienceOf(bot, [owner, peer], [owner.id, peer.id])).toBe(`room:${room.id}`);
});

test("a reader without a record counts as one who does not decide", async () => {
  const gone = { ...owner, id: ids("agent") };
  const audience = createAudiences({
    permissions: { readers: async () => new Set([gone.id]), levelOf: async () => "x" },
    records: { find: async () => undefined },
  });
  expect(await audience(bot, room)).toBe(`room:${room.id}`);
});
