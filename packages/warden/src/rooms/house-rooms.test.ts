import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { foundHouse } from "../identity/found-house.ts";
import { createRecords } from "../identity/house-records.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { createDurableStreams } from "../streams/durable.ts";
import { createRooms } from "./house-rooms.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  await foundHouse({ world, store, streams, timezone: "UTC" });
  const records = createRecords({ world, store, streams, pinned: () => undefined });
  const rooms = createRooms({ world, records, streams });
  const owner = (await records.get("agent", "owner")).id;
  const create = async (name: string, kind: string) =>
    (await records.mutate({ kind: "create", type: "agent", content: { name, kind } }, owner)).id as typeof owner;
  return { records, rooms, owner, create, room: (await records.get("room", "main")).id };
};

test("a message is kept to the letter, with the agents that its text mentions", async () => {
  const { records, rooms, owner } = await open();
  const { id } = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  const bot = (await records.get("agent", "main")).id;
  const text = "  @main and @nobody and \u0000 `@owner`  ";
  expect(await rooms.post(id as never, { text }, owner)).toMatchObject({
    offset: 1,
    body: { text },
    mentions: [bot],
    causes: [],
  });
});

test("who is not in a room cannot speak there", async () => {
  const { rooms, create, room } = await open();
  const stranger = await create("Ben", "human");
  await expect(rooms.post(room, { text: "hi" }, stranger)).rejects.toMatchObject({ code: "auth.denied" });
});

test("a repeated key gives the first message again, and is one author's and one room's alone", async () => {
  const { rooms, owner, create, records } = await open();
  const { id } = await records.mutate({ kind: "create", type: "room", content: { name: "Group" } }, owner);
  const ben = await create("Ben", "human");
  const post = (author: typeof owner, text: string) => rooms.post(id as never, { text, idempotencyKey: "k" }, author);
  const first = await post(owner, "one");
  expect(await post(owner, "two")).toEqual(first);
  expect(await post(ben, "three")).toMatchObject({ offset: 2, body: { text: "three" } });
});

test("two agents share one direct room, however often and at once it is asked for", async () => {
  const { rooms, owner, create } = await open();
  const bot = await create("Helpful", "bot");
  const [one, two] = await Promise.all([rooms.direct(owner, bot), rooms.direct(bot, owner)]);
  expect(one.id).toBe(two.id);
  expect((await rooms.direct(owner, bot)).id).toBe(one.id);
  expect(one).toMatchObject({ handle: "helpful", content: { kind: "direct", members: [owner, bot] } });
});

test("a direct room finds a name when the bot's is taken", async () => {
  const { records, rooms, owner, create } = await open();
  const bot = await create("Helpful", "bot");
  for (const name of ["Helpful", "Helpful and Owner"]) {
    await records.mutate({ kind: "create", type: "room", content: { name } }, owner);
  }
  expect(await rooms.direct(owner, bot)).toMatchObject({ content: { kind: "direct", members: [owner, bot] } });
});
