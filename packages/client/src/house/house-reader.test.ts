import { describe, expect, test } from "bun:test";
import { HouseId, type HouseRecord, type Level, type RoomId, type RoomRecord } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeHouse } from "../fake-house.ts";
import { createSocket } from "../socket/resuming-socket.ts";
import { createMemoryStorage, type MemoryStorage } from "../storage.ts";
import type { HouseSnapshot } from "./house.ts";
import { createHouseReader } from "./house-reader.ts";
import { levelIn } from "./levels.ts";

const setUp = (storage: MemoryStorage = createMemoryStorage()) => {
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
  const theirs = (text: string, where?: RoomId) => house.say(text, { author: house.bot.id }, where);
  return { world, house, socket, storage, open, settle, addRoom, theirs };
};

/** A house with a den and a hall that this device has visited before. */
const setUpVisited = async () => {
  const all = setUp();
  const hall = all.addRoom("hall");
  all.theirs("old");
  await all.world.advance(10);
  const { reader, snapshots } = all.open();
  await all.settle();
  return { ...all, hall, den: all.house.room, reader, snapshots };
};

const names = ({ rooms }: HouseSnapshot): readonly string[] => rooms.map(({ room }) => room.content.name);
const unread = ({ rooms }: HouseSnapshot): readonly string[] =>
  rooms.filter(({ isUnread }) => isUnread).map(({ room }) => room.content.name);

describe("a house", () => {
  test("shows who asks, who is there, and the rooms, what was said last first, then by name", async () => {
    const { world, house, open, settle, addRoom, theirs } = setUp();
    for (const name of ["zoo", "attic", "hall"]) addRoom(name);
    theirs("first");
    await world.advance(10);
    const hall = [...house.rooms.values()].find(({ handle }) => handle === "hall")!;
    theirs("second", hall.id);
    const { reader } = open();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "loading" }, me: undefined, rooms: [] });
    await settle();
    const snapshot = reader.snapshot();
    expect(snapshot).toMatchObject({ state: { kind: "ready" }, connection: { kind: "open" }, house: house.house });
    expect(snapshot.me?.agent.id).toBe(house.me.id);
    expect([...snapshot.agents.keys()]).toEqual([house.me.id, house.bot.id]);
    expect(names(snapshot)).toEqual(["hall", "den", "attic", "zoo"]);
    expect(snapshot.rooms[0]).toEqual({ room: hall, head: 1, at: world.clock.now(), isUnread: false });
    expect(snapshot.rooms[2]).toMatchObject({ head: 0, at: undefined });
  });

  test("follows records that someone adds, changes and removes elsewhere", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    const calls = house.calls.length;
    const guest = house.newAgent("guest", "bot");
    const attic = house.newRoom("attic");
    house.record("created", guest);
    house.record("created", attic);
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, name: "great hall" } });
    house.record("updated", { ...house.house, version: 2, content: { ...house.house.content, name: "Manor" } });
    house.record("updated", { ...house.me, version: 2, content: { ...house.me.content, name: "myself" } });
    await settle();
    const snapshot = reader.snapshot();
    expect(names(snapshot)).toEqual(["den", "attic", "great hall"]);
    expect(snapshot.agents.get(guest.id)).toEqual(guest);
    expect(snapshot.house?.content.name).toBe("Manor");
    expect(snapshot.me?.agent.content.name).toBe("myself");
    house.record("removed", guest);
    house.record("removed", hall);
    await settle();
    expect(names(reader.snapshot())).toEqual(["den", "attic"]);
    expect(reader.snapshot().agents.has(guest.id)).toBe(false);
    expect(house.calls.length).toBe(calls);
  });

  test("knows who is stopped when it is opened, and follows who is stopped and resumed elsewhere", async () => {
    const { house, open, settle } = setUp();
    house.stop("house", true);
    const { reader } = open();
    const scopes = () => reader.snapshot().holds.map(({ scope }) => scope);
    await settle();
    expect(scopes()).toEqual(["house"]);
    const calls = house.calls.length;
    house.stop(house.bot.id, true);
    await settle();
    expect(scopes()).toEqual(["house", house.bot.id]);
    expect(reader.snapshot().holds[1]).toMatchObject({ by: house.me.id });
    house.stop("house", false);
    house.stop(house.bot.id, false);
    await settle();
    expect(scopes()).toEqual([]);
    expect(house.calls.length).toBe(calls);
  });

  test("asks again who is stopped when the connection comes back, unless the log has told meanwhile", async () => {
    const { house, settle, reader } = await setUpVisited();
    const cut = async (): Promise<void> => {
      house.wire.cut();
      await settle();
    };
    // In force with a daemon that could not keep it, and gone with that daemon.
    house.stop(house.bot.id, true);
    await settle();
    house.stops.length = 0;
    await cut();
    await settle(60_000);
    expect(reader.snapshot().holds).toEqual([]);
    const release = house.hold("stops");
    await cut();
    await settle(60_000);
    house.stop("house", true);
    await settle();
    house.stops.length = 0;
    release();
    await settle();
    expect(reader.snapshot().holds).toMatchObject([{ scope: "house" }]);
  });

  test("is shown without its stops to whom they are not shown", async () => {
    const { house, open, settle } = setUp();
    house.fail("stops", "auth.denied");
    const { reader } = open();
    await settle();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, holds: [] });
  });

  test("misses no record that changes while it is opened, and takes no older one for a newer one", async () => {
    const { house, open, settle, addRoom } = setUp();
    const hall = addRoom("hall");
    house.agents.set(house.bot.id, { ...house.bot, version: 3 });
    const release = house.hold("rooms");
    const { reader } = open();
    await settle();
    const attic = house.newRoom("attic");
    house.record("created", attic);
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, name: "second" } });
    house.rooms.set(hall.id, { ...hall, version: 3, content: { ...hall.content, name: "third" } });
    release();
    await settle();
    house.record("updated", { ...house.bot, version: 2 });
    await settle();
    expect(names(reader.snapshot())).toEqual(["attic", "den", "third"]);
    expect(reader.snapshot().agents.get(house.bot.id)?.version).toBe(3);
  });

  test("makes one change of all that comes at once, and tells nobody who listens no more", async () => {
    const { settle, reader, snapshots, theirs, hall } = await setUpVisited();
    const count = snapshots.length;
    expect(count).toBeGreaterThan(0);
    let told = 0;
    const stop = reader.onChange(() => (told += 1));
    for (let index = 0; index < 10; index += 1) theirs("x", index % 2 === 0 ? hall.id : undefined);
    await settle();
    stop();
    theirs("y");
    await settle();
    expect([told, snapshots.length - count]).toEqual([1, 2]);
  });

  test("without a log that can be read, or followed, has failed", async () => {
    const unread = setUp();
    unread.house.fail("log", "house.incompatible");
    const { reader } = unread.open();
    await unread.settle();
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "house.incompatible" } });
    const unfollowed = setUp();
    const stream = `house:${unfollowed.house.house.id}` as const;
    unfollowed.house.wire.deny(stream, { code: "record.not-found", message: "gone" });
    const { reader: second } = unfollowed.open();
    await unfollowed.settle();
    expect(second.snapshot().state).toMatchObject({ kind: "failed", error: { code: "record.not-found" } });
  });

  test("keeps what has not changed", async () => {
    const { house, settle, reader, theirs, hall } = await setUpVisited();
    const before = reader.snapshot();
    theirs("x");
    await settle();
    const after = reader.snapshot();
    expect(after.rooms).not.toBe(before.rooms);
    expect(after.rooms.find(({ room }) => room.id === hall.id)).toBe(
      before.rooms.find(({ room }) => room.id === hall.id)!,
    );
    expect(after.agents).toBe(before.agents);
    house.record("created", house.newAgent("guest", "bot"));
    await settle();
    expect(reader.snapshot().rooms).toBe(after.rooms);
  });

  test("has the rooms that one may read, whoever reads", async () => {
    const { house, open, settle, addRoom } = setUp();
    house.agents.set(house.me.id, { ...house.me, content: { ...house.me.content, kind: "bot" } });
    addRoom("ours");
    house.levels.set(addRoom("theirs").id, "none");
    const { reader } = open();
    await settle();
    expect(names(reader.snapshot())).toEqual(["den", "ours"]);
  });
});

describe("what one may", () => {
  const levelOf = ({ me }: HouseSnapshot, place: HouseRecord | RoomRecord) => me && levelIn(me, place);

  test("is there from the beginning, and follows who gives and takes it", async () => {
    const { house, settle, reader, hall, den } = await setUpVisited();
    expect([house.house, hall].map((place) => levelOf(reader.snapshot(), place))).toEqual(["x", "x"]);
    house.grant(house.house, "r");
    await settle();
    expect([house.house, hall].map((place) => levelOf(reader.snapshot(), place))).toEqual(["r", "r"]);
    house.grant(hall, "w");
    await settle();
    expect([hall, den].map((place) => levelOf(reader.snapshot(), place))).toEqual(["w", "r"]);
    const before = reader.snapshot();
    house.grant(house.house, "none");
    await settle();
    expect(levelOf(reader.snapshot(), house.house)).toBeUndefined();
    expect([names(before), names(reader.snapshot())]).toEqual([["den", "hall"], ["hall"]]);
    house.grant(house.house, "w");
    await settle();
    expect(names(reader.snapshot())).toEqual(["den", "hall"]);
  });

  test("is no affair of a grant to somebody else, and what is hidden is passed over", async () => {
    const { house, settle, reader, snapshots } = await setUpVisited();
    const [calls, count] = [house.calls.length, snapshots.length];
    house.wire.append(`house:${house.house.id}`, {
      ...{ type: "grant-changed", at: 1, by: house.me.id, agent: house.bot.id, on: house.house.id, level: "r" },
    });
    await settle();
    expect([house.calls.length, snapshots.length]).toEqual([calls, count]);
    house.hide();
    house.record("created", house.newAgent("guest", "bot"));
    await settle();
    expect([...reader.snapshot().agents.values()].map(({ handle }) => handle)).toContain("guest");
    expect(reader.snapshot().state.kind).toBe("ready");
  });

  test("and what others may is told to who listens, place by place, as they come, change and go", async () => {
    const { house, settle, reader, hall, snapshots } = await setUpVisited();
    const told: string[] = [];
    const stop = reader.onLevels((place) => told.push(place));
    const { length } = snapshots;
    house.grant(house.house, "r", house.bot.id);
    house.grant(hall, "none", house.bot.id);
    await settle();
    expect([told, snapshots.length]).toEqual([[house.house.id, hall.id], length]);
    const guest = house.newAgent("guest", "bot");
    house.record("created", guest);
    house.record("updated", { ...guest, version: 2 });
    house.record("removed", guest);
    await settle();
    expect(told.slice(2)).toEqual([house.house.id, house.house.id]);
    stop();
    house.grant(house.house, "w", house.bot.id);
    await settle();
    expect(told).toHaveLength(4);
  });

  test("takes a room that was closed from the list though nothing tells its name, and a record of it that came late", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.levels.set(hall.id, "none");
    house.hide();
    await settle();
    expect(names(reader.snapshot())).toEqual(["den"]);
    house.wire.append(`house:${house.house.id}`, {
      ...{ type: "record-changed", at: 1, by: house.me.id, change: "updated", record: { ...hall, version: 2 } },
    });
    house.hide();
    await settle();
    expect(names(reader.snapshot())).toEqual(["den"]);
  });

  test("in a room that is newer than what the house said follows the house, and its members where it names some", () => {
    const { house } = setUp();
    const open = house.newRoom("a");
    const ours = house.newRoom("b", { members: [house.me.id] });
    const theirs = house.newRoom("c", { members: [house.bot.id] });
    const at = (level: Level) => {
      const me = { agent: house.me, permissions: [{ on: house.house.id, level }] };
      return [open, ours, theirs].map((room) => room && levelIn(me, room));
    };
    expect([at("r"), at("x")]).toEqual([
      ["r", "w", undefined],
      ["x", "x", "x"],
    ]);
  });

  test("in a room changes with its members", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.levels.set(hall.id, "w");
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, members: [house.me.id] } });
    await settle();
    expect(levelOf(reader.snapshot(), hall)).toBe("w");
  });

  test("of somebody from elsewhere who comes into a room, one learns the name", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    const guest = house.newAgent("guest", "human");
    house.agents.set(guest.id, guest);
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, members: [house.me.id, guest.id] } });
    await settle();
    expect(reader.snapshot().agents.get(guest.id)).toEqual(guest);
  });

  test("is asked for once more when something came while it was asked for", async () => {
    const { house, settle, reader } = await setUpVisited();
    const release = house.hold("rooms");
    house.grant(house.house, "w");
    await settle();
    const attic = house.newRoom("attic");
    house.record("created", attic);
    await settle();
    release();
    await settle();
    expect(names(reader.snapshot())).toEqual(["den", "attic", "hall"]);
    expect(reader.snapshot().me?.permissions).toContainEqual({ on: attic.id, level: "w" });
  });

  test("comes back with what is said: a room that was closed for a moment is followed anew", async () => {
    const { house, settle, reader, den, theirs } = await setUpVisited();
    house.wire.say(JSON.stringify({ type: "ended", stream: `room:${den.id}` }));
    await settle();
    theirs("news");
    await settle();
    expect(unread(reader.snapshot())).toEqual([]);
    house.grant(den, "w");
    await settle();
    expect(unread(reader.snapshot())).toEqual(["den"]);
  });

  test("that cannot be asked for because the login has ended is told as that", async () => {
    const { house, settle, reader } = await setUpVisited();
    house.fail("me", "auth.invalid");
    house.hide();
    await settle();
    expect(reader.snapshot().state.kind).toBe("logged-out");
  });
});

describe("several houses", () => {
  const setUpTwo = async () => {
    const all = setUp();
    const { house, open, settle } = all;
    const annex = { ...house.house, id: HouseId.parse(`house_${"9".repeat(26)}`), handle: "annex" };
    const other: HouseRecord = { ...annex, house: annex.id, content: { ...annex.content, name: "Annex" } };
    const attic: RoomRecord = { ...house.newRoom("attic"), house: other.id };
    house.houses.set(other.id, other);
    house.rooms.set(attic.id, attic);
    house.levels.set(other.id, "r");
    const { reader } = open();
    await settle();
    return { ...all, other, attic, reader };
  };
  const shown = ({ house, houses, rooms }: HouseSnapshot) => [
    house?.content.name,
    houses.map(({ content }) => content.name),
    rooms.map(({ room }) => room.content.name),
  ];

  test("are shown one at a time, and the one that was chosen is kept", async () => {
    const { house, other, settle, reader, storage, open } = await setUpTwo();
    expect(shown(reader.snapshot())).toEqual(["Home", ["Annex", "Home"], ["den"]]);
    reader.choose(other.id);
    await settle();
    expect(shown(reader.snapshot())).toEqual(["Annex", ["Annex", "Home"], ["attic"]]);
    const { rooms } = reader.snapshot();
    house.record("updated", { ...house.house, version: 2, content: { ...house.house.content, name: "Zoo" } });
    await settle();
    expect(shown(reader.snapshot())[1]).toEqual(["Annex", "Zoo"]);
    expect(reader.snapshot().rooms).toBe(rooms);
    reader[Symbol.dispose]();
    const again = open(storage.openTab()).reader;
    await settle();
    expect(shown(again.snapshot())).toEqual(["Annex", ["Annex", "Home"], ["attic"]]);
  });

  test("are followed each by its own log", async () => {
    const { house, other, attic, settle, reader } = await setUpTwo();
    reader.choose(other.id);
    house.record("updated", { ...attic, version: 2, content: { ...attic.content, name: "loft" } });
    await settle();
    expect(shown(reader.snapshot())[2]).toEqual(["loft"]);
    house.grant(other, "none");
    await settle();
    expect(shown(reader.snapshot())).toEqual(["Home", ["Home"], ["den"]]);
    const attached = house.wire.requests.filter((one) => "stream" in one && one.stream === `house:${other.id}`);
    expect(attached.map(({ op }) => op)).toEqual(["subscribe", "unsubscribe"]);
  });

  test("of which nothing was seen before show with a room of theirs that is opened", async () => {
    const { house, other, attic, settle, reader } = await setUpTwo();
    house.grant(other, "none");
    await settle();
    expect(shown(reader.snapshot())[1]).toEqual(["Home"]);
    house.grant(attic, "w");
    await settle();
    expect(shown(reader.snapshot())[1]).toEqual(["Annex", "Home"]);
    reader.choose(other.id);
    await settle();
    expect(shown(reader.snapshot())).toEqual(["Annex", ["Annex", "Home"], ["attic"]]);
    house.record("updated", { ...attic, version: 2, content: { ...attic.content, name: "loft" } });
    await settle();
    expect(shown(reader.snapshot())[2]).toEqual(["loft"]);
  });

  test("that were opened meanwhile show when the connection comes back", async () => {
    const { house, other, settle, reader } = await setUpTwo();
    house.grant(other, "none");
    await settle();
    house.levels.set(other.id, "w");
    house.wire.cut();
    await settle(1_000);
    expect(shown(reader.snapshot())[1]).toEqual(["Annex", "Home"]);
  });

  test("whose log ends is asked for again, and stays if it is still open", async () => {
    const { house, other, settle, reader } = await setUpTwo();
    const stream = `house:${other.id}` as const;
    house.wire.deny(stream, { code: "record.not-found", message: "gone" });
    house.wire.cut();
    await settle(1_000);
    const asked = house.calls.length;
    await settle(5_000);
    expect(house.calls.length - asked).toBeLessThan(60);
    house.wire.deny(stream, undefined);
    await settle(2_000);
    expect(shown(reader.snapshot())[1]).toEqual(["Annex", "Home"]);
    house.record("updated", { ...other, version: 2, content: { ...other.content, name: "Barn" } });
    await settle();
    expect(shown(reader.snapshot())[1]).toEqual(["Barn", "Home"]);
  });

  test("are chosen for the time being where the storage has no space", async () => {
    const { other, settle, reader } = await setUpTwo();
    const full = createMemoryStorage({ maxLength: 1 });
    const { house, open, settle: settleFull } = setUp(full);
    house.houses.set(other.id, other);
    house.levels.set(other.id, "r");
    const second = open().reader;
    await settleFull();
    second.choose(other.id);
    await settleFull();
    expect(second.snapshot().house?.content.name).toBe("Annex");
    await settle();
    expect(reader.snapshot().house?.content.name).toBe("Home");
  });
});

describe("what is new", () => {
  test("is a message of somebody else, which moves its room up; own ones and edits are not", async () => {
    const { world, house, settle, reader, theirs, hall, den } = await setUpVisited();
    expect(names(reader.snapshot())).toEqual(["den", "hall"]);
    expect(unread(reader.snapshot())).toEqual([]);
    house.say("mine", {}, hall.id);
    await settle();
    expect(names(reader.snapshot())).toEqual(["hall", "den"]);
    expect(unread(reader.snapshot())).toEqual([]);
    await world.advance(10);
    const { id } = theirs("news");
    await settle();
    expect(names(reader.snapshot())).toEqual(["den", "hall"]);
    expect(unread(reader.snapshot())).toEqual(["den"]);
    reader.markRead(den.id, 2);
    await settle();
    house.edit(id, "newer");
    await settle();
    expect(unread(reader.snapshot())).toEqual([]);
    expect(reader.snapshot().rooms[0]).toMatchObject({ head: 3 });
  });

  test("does not count on the first visit, and is remembered from then on", async () => {
    const { storage, open, settle, theirs, addRoom, house } = setUp();
    theirs("before anybody came");
    const first = open().reader;
    await settle();
    expect(unread(first.snapshot())).toEqual([]);
    first[Symbol.dispose]();
    theirs("while away");
    const attic = addRoom("attic");
    theirs("in a new room", attic.id);
    house.say("mine", {}, addRoom("mine").id);
    const second = open(storage.openTab()).reader;
    await settle();
    expect(unread(second.snapshot())).toEqual(["attic", "den"]);
    second.markRead(attic.id, 1);
    second[Symbol.dispose]();
    const third = open().reader;
    await settle();
    expect(unread(third.snapshot())).toEqual(["den"]);
  });

  test("is new however much one has said since", async () => {
    const { house, storage, open, settle, theirs, den, reader } = await setUpVisited();
    reader[Symbol.dispose]();
    theirs("news");
    for (let count = 0; count < 200; count += 1) house.say("mine");
    house.wire.requests.length = 0;
    const again = open(storage.openTab()).reader;
    await settle();
    expect(unread(again.snapshot())).toEqual(["den"]);
    expect(house.wire.requests).toContainEqual(expect.objectContaining({ stream: `room:${den.id}`, after: 152 }));
    again.markRead(den.id, 202);
    await settle();
    expect(unread(again.snapshot())).toEqual([]);
  });

  test("is read in every tab, and marks never go back", async () => {
    const { storage, open, settle, theirs, den, reader } = await setUpVisited();
    const beside = open(storage.openTab()).reader;
    await settle();
    theirs("one");
    theirs("two");
    await settle();
    expect([unread(reader.snapshot()), unread(beside.snapshot())]).toEqual([["den"], ["den"]]);
    reader.markRead(den.id, 3);
    reader.markRead(den.id, 2);
    beside.markRead(den.id, 1);
    await settle();
    expect([unread(reader.snapshot()), unread(beside.snapshot())]).toEqual([[], []]);
    expect(storage.get(`read:${den.id}`)).toBe("3");
  });

  test("is told apart also where the storage has no space, or holds something else", async () => {
    const storage = createMemoryStorage({ maxLength: 10 });
    const { house, open, settle, theirs } = setUp(storage);
    const { reader } = open();
    await settle();
    theirs("one");
    await settle();
    reader.markRead(house.room.id, 1);
    await settle();
    expect(unread(reader.snapshot())).toEqual([]);

    const strange = createMemoryStorage();
    const other = setUp(strange);
    strange.set(`read:${other.house.room.id}`, "the day before");
    other.theirs("news");
    const { reader: second } = other.open();
    await other.settle();
    expect(unread(second.snapshot())).toEqual(["den"]);
  });

  test("is found in a house of many rooms, in those beyond the ones that are followed when the connection comes back", async () => {
    const { world, house, open, settle, addRoom, theirs } = setUp();
    const rooms = Array.from({ length: 80 }, (_, index) => addRoom(`room ${String(index).padStart(2, "0")}`));
    for (const { id } of rooms) {
      theirs("x", id);
      await world.advance(1);
    }
    const { reader } = open();
    await settle();
    const streams = new Set(house.wire.requests.map((request) => ("stream" in request ? request.stream : "")));
    expect(streams.size).toBe(61);
    theirs("news", rooms[79]!.id);
    theirs("unheard", rooms[0]!.id);
    await settle();
    expect(unread(reader.snapshot())).toEqual(["room 79"]);
    house.wire.cut();
    await settle(1_000);
    expect(unread(reader.snapshot()).toSorted()).toEqual(["room 00", "room 79"]);
    // Which took the place of this one, until something is said there.
    const displaced = rooms[20]!;
    await world.advance(1);
    theirs("x", displaced.id);
    house.wire.cut();
    await settle(1_000);
    await world.advance(1);
    theirs("live again", displaced.id);
    await settle();
    expect(reader.snapshot().rooms[0]).toMatchObject({ room: displaced, head: 3 });
  });
});

describe("the login", () => {
  test("goes on trying while the house does not answer, and says how it stands", async () => {
    const { world, house, open, settle } = setUp();
    house.fail("all", "house.unreachable");
    const { reader } = open();
    await settle(20_000);
    const { state, connection } = reader.snapshot();
    expect([state.kind, connection.kind]).toEqual(["loading", "lost"]);
    expect(house.calls.length).toBeLessThan(15);
    expect(connection.kind === "lost" && connection.retryAt >= world.clock.now()).toBe(true);
    house.fail("all");
    await settle(5_000);
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, connection: { kind: "open" } });
  });

  test("that is missing is told, without a connection; after a login `refresh` shows the house", async () => {
    for (const code of ["auth.missing", "auth.invalid"] as const) {
      const { house, open, settle } = setUp();
      house.fail("me", code);
      const { reader } = open();
      await settle(10_000);
      expect(reader.snapshot().state).toMatchObject({ kind: "logged-out", error: { code } });
      expect([house.calls, house.wire.dialed()]).toEqual([["me"], 0]);
      house.fail("me");
      const release = house.hold("me");
      reader.refresh();
      await settle();
      expect(reader.snapshot().state.kind).toBe("loading");
      release();
      await settle();
      expect(reader.snapshot().state.kind).toBe("ready");
    }
  });

  test("that turns out to be missing once the house answers leaves no word of a lost connection", async () => {
    const { house, open, settle } = setUp();
    house.fail("me", "house.unreachable");
    const { reader } = open();
    await settle();
    house.fail("me", "auth.invalid");
    await settle(5_000);
    expect(reader.snapshot()).toMatchObject({ state: { kind: "logged-out" }, connection: { kind: "connecting" } });
  });

  test("that is refreshed takes what is there then, and leaves nothing of before behind", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.rooms.delete(hall.id);
    reader.refresh();
    await settle();
    expect(names(reader.snapshot())).toEqual(["den"]);
    reader[Symbol.dispose]();
    await settle();
    const open = new Set<string>();
    for (const request of house.wire.requests) {
      if (request.op === "subscribe") open.add(request.stream);
      if (request.op === "unsubscribe") open.delete(request.stream);
    }
    expect([...open]).toEqual([]);
  });

  test("that ends while one looks is told, whether the house or the network closes the connection", async () => {
    for (const code of [1006, 1008]) {
      const { house, settle, reader } = await setUpVisited();
      house.fail("all", "auth.invalid");
      house.wire.refuse(code);
      house.wire.cut(code);
      await settle(10_000);
      expect(reader.snapshot().state.kind).toBe("logged-out");
      const dialed = house.wire.dialed();
      await settle(60_000);
      expect(house.wire.dialed()).toBe(dialed);
      house.fail("all");
      house.wire.refuse(undefined);
      reader.refresh();
      await settle(5_000);
      expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, connection: { kind: "open" } });
    }
  });

  test("that holds is not doubted because the house is away", async () => {
    const { house, settle, reader, theirs, snapshots } = await setUpVisited();
    house.fail("all", "house.unreachable");
    house.wire.refuse(1006);
    house.wire.cut();
    await settle(60_000);
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, connection: { kind: "lost" } });
    theirs("news");
    house.fail("all");
    house.wire.refuse(undefined);
    await settle(10_000);
    expect(unread(reader.snapshot())).toEqual(["den"]);
    expect(snapshots.filter(({ state }) => state.kind !== "ready")).toEqual([]);
  });

  test("any other failure is final until `refresh`", async () => {
    const { house, open, settle } = setUp();
    house.fail("heads", "house.incompatible");
    const { reader } = open();
    await settle(60_000);
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "house.incompatible" } });
    expect(house.calls.filter((call) => call === "heads")).toHaveLength(1);
    house.fail("heads");
    reader.refresh();
    await settle();
    expect(reader.snapshot().state.kind).toBe("ready");
  });

  test("once disposed it says no more and follows nothing", async () => {
    const { house, settle, reader, snapshots, theirs, socket } = await setUpVisited();
    const [count, calls] = [snapshots.length, house.calls.length];
    reader.markRead(house.room.id, 9);
    reader[Symbol.dispose]();
    theirs("unheard");
    house.wire.cut();
    await settle(60_000);
    expect([snapshots.length, house.calls.length]).toEqual([count, calls]);
    expect(socket.state().kind).toBe("connecting");
  });
});
