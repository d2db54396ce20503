/** A house reader that reads a fake house. */
import type { RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeHouse } from "../fake-house.ts";
import { createSocket } from "../socket/resuming-socket.ts";
import { createMemoryStorage, type MemoryStorage } from "../storage.ts";
import { createHouseReader } from "./house-reader.ts";
import type { HouseSnapshot } from "./house.ts";

export const setUp = (storage: MemoryStorage = createMemoryStorage()) => {
  const world = createFakeWorld({ hash: () => "" });
  const house = createFakeHouse(world);
  const { clock } = world;
  const socket = createSocket({ connect: house.wire.connect, clock, random: () => 0.5 });
  const open = (tab: MemoryStorage = storage) => {
    const reader = createHouseReader({ client: house.client, socket, storage: tab, clock });
    const snapshots: HouseSnapshot[] = [];
    reader.onChange(() => snapshots.push(reader.snapshot()));
    return { reader, snapshots };
  };
  const settle = async (ms = 0): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await world.advance(turn === 0 ? ms : 0);
  };
  const addRoom = (name: string, content: object = {}) => {
    const room = house.newRoom(name, content);
    house.rooms.set(room.id, room);
    return room;
  };
  const sayAsBot = (text: string, where?: RoomId) => house.say(text, { author: house.bot.id }, where);
  return { world, house, socket, storage, open, settle, addRoom, sayAsBot };
};

/** Creates a reader of a house with the rooms "den" and "hall", which this device has visited before. */
export const setUpVisited = async () => {
  const setup = setUp();
  const hall = setup.addRoom("hall");
  setup.sayAsBot("old");
  await setup.world.advance(10);
  const { reader, snapshots } = setup.open();
  await setup.settle();
  return { ...setup, hall, den: setup.house.room, reader, snapshots };
};

export const listNames = ({ rooms }: HouseSnapshot): readonly string[] => rooms.map(({ room }) => room.content.name);

export const listUnread = ({ rooms }: HouseSnapshot): readonly string[] =>
  rooms.filter(({ isUnread }) => isUnread).map(({ room }) => room.content.name);
