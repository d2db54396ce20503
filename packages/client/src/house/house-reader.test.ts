import { describe, expect, test } from "bun:test";
import { listNames, setUp, setUpVisited, listUnread } from "./fake-reading.ts";

describe("a house", () => {
  test("shows the reader, its agents, and its rooms by latest message, then by name", async () => {
    const { world, house, open, settle, addRoom, sayAsBot } = setUp();
    for (const name of ["zoo", "attic", "hall"]) addRoom(name);
    sayAsBot("first");
    await world.advance(10);
    const hall = [...house.rooms.values()].find(({ handle }) => handle === "hall")!;
    sayAsBot("second", hall.id);
    const { reader } = open();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "loading" }, me: undefined, rooms: [] });
    await settle();
    const snapshot = reader.snapshot();
    expect(snapshot).toMatchObject({ state: { kind: "ready" }, connection: { kind: "open" }, house: house.house });
    expect(snapshot.me?.agent.id).toBe(house.me.id);
    expect([...snapshot.agents.keys()]).toEqual([house.me.id, house.bot.id]);
    expect(listNames(snapshot)).toEqual(["hall", "den", "attic", "zoo"]);
    expect(snapshot.rooms[0]).toEqual({
      room: hall,
      head: 1,
      lastEventAt: world.clock.now(),
      isUnread: false,
      isPinned: false,
      isArchived: false,
    });
    expect(snapshot.rooms[2]).toMatchObject({ head: 0, lastEventAt: undefined });
  });

  test("restored from a backup is loaded again, and its log is followed from its end", async () => {
    const { house, settle, reader } = await setUpVisited();
    house.record("created", house.newAgent("guest", "bot"));
    await settle();
    const lists = () => house.calls.filter((call) => call === "agents").length;
    const before = lists();
    house.wire.restoreTo(`house:${house.house.id}`, 0);
    await settle(5_000);
    expect(lists()).toBeGreaterThan(before);
    house.record("created", house.newAgent("other", "bot"));
    await settle();
    expect([...reader.snapshot().agents.values()].map(({ handle }) => handle)).toContain("other");
  });

  test("follows records that another client adds, changes and removes", async () => {
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
    expect(listNames(snapshot)).toEqual(["den", "attic", "great hall"]);
    expect(snapshot.agents.get(guest.id)).toEqual(guest);
    expect(snapshot.house?.content.name).toBe("Manor");
    expect(snapshot.me?.agent.content.name).toBe("myself");
    house.record("removed", guest);
    house.record("removed", hall);
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den", "attic"]);
    expect(reader.snapshot().agents.has(guest.id)).toBe(false);
    expect(house.calls.length).toBe(calls);
  });

  test("loads the holds when it is opened, and follows stops and resumes of other clients", async () => {
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

  test("requests the holds again when the connection comes back, unless the log has reported them meanwhile", async () => {
    const { house, settle, reader } = await setUpVisited();
    const cut = async (): Promise<void> => {
      house.wire.cut();
      await settle();
    };
    // In force with a daemon that could not persist it, and lost with that daemon.
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

  test("is shown without its holds to readers without access to them", async () => {
    const { house, open, settle } = setUp();
    house.fail("stops", "auth.denied");
    const { reader } = open();
    await settle();
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, holds: [] });
  });

  test("misses no record that changes while it is opened, and never replaces a newer record by an older one", async () => {
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
    expect(listNames(reader.snapshot())).toEqual(["attic", "den", "third"]);
    expect(reader.snapshot().agents.get(house.bot.id)?.version).toBe(3);
  });

  test("makes one change of all events that arrive together, and does not call removed listeners", async () => {
    const { settle, reader, snapshots, sayAsBot, hall } = await setUpVisited();
    const count = snapshots.length;
    expect(count).toBeGreaterThan(0);
    let told = 0;
    const stop = reader.onChange(() => (told += 1));
    for (let index = 0; index < 10; index += 1) sayAsBot("x", index % 2 === 0 ? hall.id : undefined);
    await settle();
    stop();
    sayAsBot("y");
    await settle();
    expect([told, snapshots.length - count]).toEqual([1, 2]);
  });

  test("fails if its log cannot be read or followed", async () => {
    const listUnread = setUp();
    listUnread.house.fail("log", "house.incompatible");
    const { reader } = listUnread.open();
    await listUnread.settle();
    expect(reader.snapshot().state).toMatchObject({ kind: "failed", error: { code: "house.incompatible" } });
    const unfollowed = setUp();
    const stream = `house:${unfollowed.house.house.id}` as const;
    unfollowed.house.wire.deny(stream, { code: "record.not-found", message: "gone" });
    const { reader: second } = unfollowed.open();
    await unfollowed.settle();
    expect(second.snapshot().state).toMatchObject({ kind: "failed", error: { code: "record.not-found" } });
  });

  test("keeps unchanged parts as the same objects", async () => {
    const { house, settle, reader, sayAsBot, hall } = await setUpVisited();
    const before = reader.snapshot();
    sayAsBot("x");
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

  test("lists exactly the rooms that the reader has access to", async () => {
    const { house, open, settle, addRoom } = setUp();
    house.agents.set(house.me.id, { ...house.me, content: { ...house.me.content, kind: "bot" } });
    addRoom("ours");
    house.levels.set(addRoom("theirs").id, "none");
    const { reader } = open();
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den", "ours"]);
  });
});

describe("the login", () => {
  test("is retried while the house does not answer, and `connection` shows the state", async () => {
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

  test("that is missing is reported without opening a connection; after a login `refresh` shows the house", async () => {
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

  test("found to be missing once the house answers leaves no report of a lost connection", async () => {
    const { house, open, settle } = setUp();
    house.fail("me", "house.unreachable");
    const { reader } = open();
    await settle();
    house.fail("me", "auth.invalid");
    await settle(5_000);
    expect(reader.snapshot()).toMatchObject({ state: { kind: "logged-out" }, connection: { kind: "connecting" } });
  });

  test("that is refreshed loads the current state and drops the previous one", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.rooms.delete(hall.id);
    reader.refresh();
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den"]);
    reader[Symbol.dispose]();
    await settle();
    const open = new Set<string>();
    for (const request of house.wire.requests) {
      if (request.op === "subscribe") open.add(request.stream);
      if (request.op === "unsubscribe") open.delete(request.stream);
    }
    expect([...open]).toEqual([]);
  });

  test("that ends while the house is open is reported, whether the house or the network closes the connection", async () => {
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

  test("that is valid is not questioned because the house is unreachable", async () => {
    const { house, settle, reader, sayAsBot, snapshots } = await setUpVisited();
    house.fail("all", "house.unreachable");
    house.wire.refuse(1006);
    house.wire.cut();
    await settle(60_000);
    expect(reader.snapshot()).toMatchObject({ state: { kind: "ready" }, connection: { kind: "lost" } });
    sayAsBot("news");
    house.fail("all");
    house.wire.refuse(undefined);
    await settle(10_000);
    expect(listUnread(reader.snapshot())).toEqual(["den"]);
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

  test("a disposed reader notifies no listener and follows nothing", async () => {
    const { house, settle, reader, snapshots, sayAsBot, socket } = await setUpVisited();
    const [count, calls] = [snapshots.length, house.calls.length];
    reader.markRead(house.room.id, 9);
    reader[Symbol.dispose]();
    sayAsBot("unheard");
    house.wire.cut();
    await settle(60_000);
    expect([snapshots.length, house.calls.length]).toEqual([count, calls]);
    expect(socket.state().kind).toBe("connecting");
  });
});
