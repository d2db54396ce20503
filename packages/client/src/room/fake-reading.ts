/** A room reader that reads a fake house. */
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeHouse } from "../fake-house.ts";
import { noFiles } from "../files/fake-files.ts";
import { createOutbox } from "../outbox/stored-outbox.ts";
import { createSocket } from "../socket/resuming-socket.ts";
import { createMemoryStorage } from "../storage.ts";
import { createRoomReader } from "./room-reader.ts";
import type { RoomSnapshot } from "./room.ts";

export const setUp = () => {
  const world = createFakeWorld({ hash: () => "" });
  const house = createFakeHouse(world);
  const { clock } = world;
  let seed = 5;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const socket = createSocket({ connect: house.wire.connect, clock, random });
  let keys = 0;
  const outbox = createOutbox({
    storage: createMemoryStorage(),
    post: house.post,
    files: noFiles,
    clock,
    newKey: () => `key-${(keys += 1)}`,
  });
  const open = () => {
    const reader = createRoomReader({
      client: house.client,
      socket,
      outbox,
      room: house.room.id,
      me: house.me.id,
      clock,
    });
    const snapshots: RoomSnapshot[] = [];
    reader.onChange(() => snapshots.push(reader.snapshot()));
    return { reader, snapshots };
  };
  const settle = async (ms = 0): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await world.advance(turn === 0 ? ms : 0);
  };
  return { world, house, socket, outbox, open, settle, random };
};

/** Creates an open reader of a room with one message. */
export const setUpOpen = async () => {
  const fakes = setUp();
  const cause = fakes.house.say("hello");
  const { reader, snapshots } = fakes.open();
  await fakes.settle();
  return { ...fakes, cause, reader, snapshots };
};

export const texts = ({ messages }: RoomSnapshot): readonly string[] => messages.map(({ text }) => text);

export const shownText = ({ live }: RoomSnapshot): readonly string[] =>
  live.map(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text : `<${part.name}>`)).join(""));

export const numbers = (count: number, from = 1): readonly string[] =>
  Array.from({ length: count - from + 1 }, (_, index) => `${from + index}`);
