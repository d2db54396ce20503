import { describe, expect, test } from "bun:test";
import { createMemoryStorage } from "../storage.ts";
import { listNames, setUp, setUpVisited, listUnread } from "./fake-reading.ts";

describe("unread messages", () => {
  test("are messages of other agents, which move their room up; own messages and edits are not", async () => {
    const { world, house, settle, reader, sayAsBot, hall, den } = await setUpVisited();
    expect(listNames(reader.snapshot())).toEqual(["den", "hall"]);
    expect(listUnread(reader.snapshot())).toEqual([]);
    house.say("mine", {}, hall.id);
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["hall", "den"]);
    expect(listUnread(reader.snapshot())).toEqual([]);
    await world.advance(10);
    const { id } = sayAsBot("news");
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den", "hall"]);
    expect(listUnread(reader.snapshot())).toEqual(["den"]);
    reader.markRead(den.id, 2);
    await settle();
    house.edit(id, "newer");
    await settle();
    expect(listUnread(reader.snapshot())).toEqual([]);
    expect(reader.snapshot().rooms[0]).toMatchObject({ head: 3 });
  });

  test("do not count on the first visit, and are remembered from then on", async () => {
    const { storage, open, settle, sayAsBot, addRoom, house } = setUp();
    sayAsBot("before the first visit");
    const first = open().reader;
    await settle();
    expect(listUnread(first.snapshot())).toEqual([]);
    first[Symbol.dispose]();
    sayAsBot("while away");
    const attic = addRoom("attic");
    sayAsBot("in a new room", attic.id);
    house.say("mine", {}, addRoom("mine").id);
    const second = open(storage.openTab()).reader;
    await settle();
    expect(listUnread(second.snapshot())).toEqual(["attic", "den"]);
    second.markRead(attic.id, 1);
    second[Symbol.dispose]();
    const third = open().reader;
    await settle();
    expect(listUnread(third.snapshot())).toEqual(["den"]);
  });

  test("remain unread no matter how many messages the reader has sent since", async () => {
    const { house, storage, open, settle, sayAsBot, den, reader } = await setUpVisited();
    reader[Symbol.dispose]();
    sayAsBot("news");
    for (let count = 0; count < 200; count += 1) house.say("mine");
    house.wire.requests.length = 0;
    const again = open(storage.openTab()).reader;
    await settle();
    expect(listUnread(again.snapshot())).toEqual(["den"]);
    expect(house.wire.requests).toContainEqual(expect.objectContaining({ stream: `room:${den.id}`, after: 152 }));
    again.markRead(den.id, 202);
    await settle();
    expect(listUnread(again.snapshot())).toEqual([]);
  });

  test("are marked as read in every tab, and marks never go back", async () => {
    const { storage, open, settle, sayAsBot, den, reader } = await setUpVisited();
    const beside = open(storage.openTab()).reader;
    await settle();
    sayAsBot("one");
    sayAsBot("two");
    await settle();
    expect([listUnread(reader.snapshot()), listUnread(beside.snapshot())]).toEqual([["den"], ["den"]]);
    reader.markRead(den.id, 3);
    reader.markRead(den.id, 2);
    beside.markRead(den.id, 1);
    await settle();
    expect([listUnread(reader.snapshot()), listUnread(beside.snapshot())]).toEqual([[], []]);
    expect(storage.get(`read:${den.id}`)).toBe("3");
  });

  test("are detected also if the storage is full or holds other data", async () => {
    const storage = createMemoryStorage({ maxLength: 10 });
    const { house, open, settle, sayAsBot } = setUp(storage);
    const { reader } = open();
    await settle();
    sayAsBot("one");
    await settle();
    reader.markRead(house.room.id, 1);
    await settle();
    expect(listUnread(reader.snapshot())).toEqual([]);

    const strange = createMemoryStorage();
    const other = setUp(strange);
    strange.set(`read:${other.house.room.id}`, "the day before");
    other.sayAsBot("news");
    const { reader: second } = other.open();
    await other.settle();
    expect(listUnread(second.snapshot())).toEqual(["den"]);
  });

  test("are found also in a room of a house restored from a backup, whatever was read of it before", async () => {
    const { house, storage, open, settle, sayAsBot } = setUp();
    const { reader } = open();
    await settle();
    for (const text of ["one", "two", "three", "four"]) sayAsBot(text);
    await settle();
    reader.markRead(house.room.id, 4);
    house.wire.restoreTo(`room:${house.room.id}`, 1);
    await settle(1_000);
    expect(reader.snapshot().rooms[0]).toMatchObject({ room: house.room, head: 1 });
    sayAsBot("news");
    await settle();
    expect(reader.snapshot().rooms[0]).toMatchObject({ room: house.room, head: 2 });
    reader[Symbol.dispose]();
    house.wire.requests.length = 0;
    open(storage.openTab());
    await settle();
    expect(house.wire.requests).toContainEqual(expect.objectContaining({ stream: `room:${house.room.id}`, after: 2 }));
  });

  test("is found in a house of many rooms, in those beyond the ones that are followed when the connection comes back", async () => {
    const { world, house, open, settle, addRoom, sayAsBot } = setUp();
    const rooms = Array.from({ length: 80 }, (_, index) => addRoom(`room ${String(index).padStart(2, "0")}`));
    for (const { id } of rooms) {
      sayAsBot("x", id);
      await world.advance(1);
    }
    const { reader } = open();
    await settle();
    const streams = new Set(house.wire.requests.map((request) => ("stream" in request ? request.stream : "")));
    // With the logs of the house and of the reader.
    expect(streams.size).toBe(62);
    sayAsBot("news", rooms[79]!.id);
    sayAsBot("unheard", rooms[0]!.id);
    await settle();
    expect(listUnread(reader.snapshot())).toEqual(["room 79"]);
    house.wire.cut();
    await settle(1_000);
    expect(listUnread(reader.snapshot()).toSorted()).toEqual(["room 00", "room 79"]);
    // The room that lost its place to this one, until it gets a message.
    const displaced = rooms[20]!;
    await world.advance(1);
    sayAsBot("x", displaced.id);
    house.wire.cut();
    await settle(1_000);
    await world.advance(1);
    sayAsBot("live again", displaced.id);
    await settle();
    expect(reader.snapshot().rooms[0]).toMatchObject({ room: displaced, head: 3 });
  });
});
