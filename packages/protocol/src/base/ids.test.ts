import { describe, expect, test } from "bun:test";
import { deriveId } from "./derive.ts";
import { ActivationId, AgentId, DeliveryId, EventId, HouseId, KeyId, RoomId, SessionId, StreamName } from "./ids.ts";

const body = "01aryz6s41tsv4rrffq69g5fav";
const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

describe("ids", () => {
  const kinds = {
    house: HouseId,
    room: RoomId,
    agent: AgentId,
    evt: EventId,
    act: ActivationId,
    key: KeyId,
    ses: SessionId,
    out: DeliveryId,
  };
  for (const [prefix, schema] of Object.entries(kinds)) {
    test(`${prefix}_ requires its prefix and 26 digits`, () => {
      expect(schema.safeParse(`${prefix}_${body}`).success).toBe(true);
      const others = Object.keys(kinds).filter((other) => other !== prefix);
      const wrong = [
        ...others.map((other) => `${other}_${body}`),
        body,
        `${prefix}_`,
        `${prefix}_${body}0`,
        `${prefix}_${body.slice(1)}`,
        `${prefix}_${body.toUpperCase()}`,
        ` ${prefix}_${body}`,
        `${prefix}_${body}\n`,
        `${prefix}_${body.slice(1)}é`,
        `${prefix}_../../../../etc/passwd0000`,
        ...["i", "l", "o", "u"].map((letter) => `${prefix}_${letter}${body.slice(1)}`),
        7,
        null,
      ];
      for (const value of wrong) expect([value, schema.safeParse(value).success]).toEqual([value, false]);
    });
  }
});

describe("stream names", () => {
  test("require the id kind of their stream kind", () => {
    const right = [
      `room:room_${body}`,
      `agent:agent_${body}`,
      `house:house_${body}`,
      `deltas:act_${body}`,
      `live:room_${body}`,
    ];
    for (const name of right) expect(StreamName.parse(name)).toBe(name as StreamName);
    const wrong = [
      `room:agent_${body}`,
      `live:act_${body}`,
      `room_${body}`,
      `key:key_${body}`,
      `room:room_${body}\n`,
      `xroom:room_${body}`,
    ];
    for (const name of wrong) expect([name, StreamName.safeParse(name).success]).toEqual([name, false]);
  });
});

describe("derived ids", () => {
  test("are well formed, and the same for the same parts", () => {
    const id = deriveId(hash, "evt", ["room", "author", "key"]);
    expect(EventId.safeParse(id).success).toBe(true);
    expect(deriveId(hash, "evt", ["room", "author", "key"])).toBe(id);
  });

  test("do not change between versions, because stored rows contain them", () => {
    expect(deriveId(hash, "act", ["evt_1", "agent_1"])).toBe("act_jsj4cncfv1n946x0shbn02nm05" as ActivationId);
  });

  test("differ for parts that are equal when joined", () => {
    const lists = [["a", "b"], ["ab"], ["a\nb"], ["a,b"], ['a","b'], ["a", "b", ""], ["", "a", "b"], ["b", "a"], []];
    expect(new Set(lists.map((parts) => deriveId(hash, "evt", parts))).size).toBe(lists.length);
  });

  test("use every digit in the first and in the last position", () => {
    const ids = Array.from({ length: 2000 }, (_, index) => deriveId(hash, "evt", [String(index)]).slice(4));
    expect(new Set(ids).size).toBe(2000);
    expect(new Set(ids.map((id) => id[0])).size).toBe(32);
    expect(new Set(ids.map((id) => id[25])).size).toBe(32);
  });
});
