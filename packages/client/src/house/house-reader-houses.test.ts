import { describe, expect, test } from "bun:test";
import { HouseId, type HouseRecord, type RoomRecord } from "@hearth/protocol";
import { createMemoryStorage } from "../storage.ts";
import { setUp } from "./fake-reading.ts";
import type { HouseSnapshot } from "./house.ts";

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

  test("are each followed by their own log", async () => {
    const { house, other, attic, settle, reader } = await setUpTwo();
    reader.choose(other.id);
    house.record("updated", { ...attic, version: 2, content: { ...attic.content, name: "loft" } });
    await settle();
    expect(shown(reader.snapshot())[2]).toEqual(["loft"]);
    house.grant(other, "none");
    await settle();
    expect(shown(reader.snapshot())).toEqual(["Home", ["Home"], ["den"]]);
    const attached = house.wire.requests.filter(
      (request) => "stream" in request && request.stream === `house:${other.id}`,
    );
    expect(attached.map(({ op }) => op)).toEqual(["subscribe", "unsubscribe"]);
  });

  test("that were not visible before appear when a room of theirs is opened to the reader", async () => {
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

  test("that were opened during an outage appear when the connection comes back", async () => {
    const { house, other, settle, reader } = await setUpTwo();
    house.grant(other, "none");
    await settle();
    house.levels.set(other.id, "w");
    house.wire.cut();
    await settle(1_000);
    expect(shown(reader.snapshot())[1]).toEqual(["Annex", "Home"]);
  });

  test("whose log ends are requested again, and stay if they are still readable", async () => {
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

  test("are chosen until the page closes if the storage is full", async () => {
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
