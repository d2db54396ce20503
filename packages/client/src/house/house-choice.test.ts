import { expect, test } from "bun:test";
import type { AgentRecord, HouseRecord } from "@hearth/protocol";
import { createMemoryStorage } from "../storage.ts";
import { pickFirstAgent } from "./first-agent.ts";
import type { RoomEntry } from "./house.ts";
import { createHouseChoice } from "./house-choice.ts";

const houseOf = (id: string): HouseRecord => ({ id, content: { name: id } }) as unknown as HouseRecord;
const [HOME, ANNEX] = [houseOf("house_1"), houseOf("house_2")];
const entryIn = (house: HouseRecord, id: string): RoomEntry =>
  ({ room: { id, house: house.id } }) as unknown as RoomEntry;

const open = (houses = [HOME, ANNEX], me: HouseRecord | null = HOME, storage = createMemoryStorage()) => {
  const entries = [entryIn(HOME, "room_1"), entryIn(ANNEX, "room_2"), entryIn(HOME, "room_3")];
  const choice = createHouseChoice({
    storage,
    book: { houses: () => houses, me: () => (me === null ? undefined : ({ house: me } as never)) },
    board: { entries: () => entries },
  });
  return { storage, choice, ids: () => choice.rooms().map(({ room }) => String(room.id)) };
};

test("the person's own house is shown until another is chosen, which is stored", () => {
  const { storage, choice, ids } = open();
  expect([choice.house()?.id, ids()]).toEqual([HOME.id, ["room_1", "room_3"]]);
  choice.choose(ANNEX.id);
  expect([choice.house()?.id, ids()]).toEqual([ANNEX.id, ["room_2"]]);
  expect(open([HOME, ANNEX], HOME, storage).choice.house()?.id).toBe(ANNEX.id);
  // A house that the person may no longer see is not shown.
  expect(open([HOME], HOME, storage).choice.house()?.id).toBe(HOME.id);
  expect(open([], null).choice.house()).toBeUndefined();
});

test("a person in one house sees all rooms, and unchanged rooms are the same list", () => {
  expect(open([HOME]).ids()).toEqual(["room_1", "room_2", "room_3"]);
  const { choice } = open();
  expect(choice.rooms()).toBe(choice.rooms());
});

test("the agent of the welcome is the one with the handle main, or else the oldest bot", () => {
  const agentOf = (handle: string, createdAt: number, kind = "bot"): AgentRecord =>
    ({ handle, createdAt, content: { kind } }) as unknown as AgentRecord;
  const [ana, old, young] = [agentOf("ana", 1, "human"), agentOf("old", 2), agentOf("young", 3)];
  expect(pickFirstAgent([ana, young, old])).toBe(old);
  const main = agentOf("main", 9);
  expect(pickFirstAgent([ana, young, main, old])).toBe(main);
  expect(pickFirstAgent([ana, agentOf("main", 1, "human"), young])).toBe(young);
  expect(pickFirstAgent([ana])).toBeUndefined();
});
