import { describe, expect, test } from "bun:test";
import type { HouseRecord, Level, RoomRecord } from "@hearth/protocol";
import { listNames, setUp, setUpVisited, listUnread } from "./fake-reading.ts";
import type { HouseSnapshot } from "./house.ts";
import { levelIn } from "./levels.ts";

describe("permissions", () => {
  const levelOf = ({ me }: HouseSnapshot, place: HouseRecord | RoomRecord) => me && levelIn(me, place);

  test("are loaded at the start, and follow grants and revocations", async () => {
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
    expect([listNames(before), listNames(reader.snapshot())]).toEqual([["den", "hall"], ["hall"]]);
    house.grant(house.house, "w");
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den", "hall"]);
  });

  test("do not change with a grant to another agent, and hidden events are skipped", async () => {
    const { house, settle, reader, snapshots } = await setUpVisited();
    const [calls, count] = [house.calls.length, snapshots.length];
    house.wire.append(`house:${house.house.id}`, {
      type: "grant-changed",
      at: 1,
      by: house.me.id,
      agent: house.bot.id,
      on: house.house.id,
      level: "r",
    });
    await settle();
    expect([house.calls.length, snapshots.length]).toEqual([calls, count]);
    house.hide();
    house.record("created", house.newAgent("guest", "bot"));
    await settle();
    expect([...reader.snapshot().agents.values()].map(({ handle }) => handle)).toContain("guest");
    expect(reader.snapshot().state.kind).toBe("ready");
  });

  test("of other agents are reported to listeners, place by place, as they are granted, changed and revoked", async () => {
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

  test("of a closed room remove it from the list although its name is not revealed, also after a late record of it", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.levels.set(hall.id, "none");
    house.hide();
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den"]);
    house.wire.append(`house:${house.house.id}`, {
      type: "record-changed",
      at: 1,
      by: house.me.id,
      change: "updated",
      record: { ...hall, version: 2 },
    });
    house.hide();
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den"]);
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

  test("in a room change with its members", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    house.levels.set(hall.id, "w");
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, members: [house.me.id] } });
    await settle();
    expect(levelOf(reader.snapshot(), hall)).toBe("w");
  });

  test("a member from another house who joins a room is shown with their name", async () => {
    const { house, settle, reader, hall } = await setUpVisited();
    const guest = house.newAgent("guest", "human");
    house.agents.set(guest.id, guest);
    house.record("updated", { ...hall, version: 2, content: { ...hall.content, members: [house.me.id, guest.id] } });
    await settle();
    expect(reader.snapshot().agents.get(guest.id)).toEqual(guest);
  });

  test("are requested again if an event arrived during the request", async () => {
    const { house, settle, reader } = await setUpVisited();
    const release = house.hold("rooms");
    house.grant(house.house, "w");
    await settle();
    const attic = house.newRoom("attic");
    house.record("created", attic);
    await settle();
    release();
    await settle();
    expect(listNames(reader.snapshot())).toEqual(["den", "attic", "hall"]);
    expect(reader.snapshot().me?.permissions).toContainEqual({ on: attic.id, level: "w" });
  });

  test("restored after a moment resume the room: its stream is followed again", async () => {
    const { house, settle, reader, den, sayAsBot } = await setUpVisited();
    house.wire.sendRaw(JSON.stringify({ type: "ended", stream: `room:${den.id}` }));
    await settle();
    sayAsBot("news");
    await settle();
    expect(listUnread(reader.snapshot())).toEqual([]);
    house.grant(den, "w");
    await settle();
    expect(listUnread(reader.snapshot())).toEqual(["den"]);
  });

  test("that cannot be loaded because the session ended are reported as logged out", async () => {
    const { house, settle, reader } = await setUpVisited();
    house.fail("me", "auth.invalid");
    house.hide();
    await settle();
    expect(reader.snapshot().state.kind).toBe("logged-out");
  });
});
