import { describe, expect, test } from "bun:test";
import {
  type AgentId,
  type HouseId,
  isHearthError,
  type KeyScope,
  type Level,
  levels,
  type Place,
  includesLevel,
  type Right,
  rights as allRights,
  type RoomId,
} from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createIdentity } from "../../fixtures/identity.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "../records/found-house.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const home = await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records, permissions } = createIdentity({ world, store, streams });
  const owner = { agent: (await records.get("agent", "owner")).id };
  const agent = async (name: string, kind = "human", house: HouseId = home) =>
    (
      await records.mutate(
        { kind: "create", type: "agent", house, level: "none", content: { name, kind } },
        owner.agent,
      )
    ).id as AgentId;
  const room = async (name: string, members?: readonly AgentId[], house: HouseId = home) =>
    (
      await records.mutate(
        { kind: "create", type: "room", house, content: { name, ...(members === undefined ? {} : { members }) } },
        owner.agent,
      )
    ).id as RoomId;
  const house = async (name: string) =>
    (await records.mutate({ kind: "create", type: "house", content: { name } }, owner.agent)).id as HouseId;
  const log = async () => (await streams.read(`house:${home}`, 0, 1000)).filter(({ type }) => type === "grant-changed");
  return { world, store, records, permissions, home, owner, agent, room, house, log };
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "done";
  } catch (error) {
    return isHearthError(error) ? error.code : String(error);
  }
};

describe("levels", () => {
  test("the first person decides, the first bot writes, and an agent without grants may do nothing", async () => {
    const { permissions, records, home, owner, agent, room } = await open();
    const bot = (await records.get("agent", "main")).id;
    const ana = await agent("Ana");
    const hall = await room("Hall");
    for (const place of [home, hall]) {
      expect(await permissions.levelOf(owner, place)).toBe("x");
      expect(await permissions.levelOf({ agent: bot }, place)).toBe("w");
      expect(await permissions.levelOf({ agent: ana }, place)).toBeUndefined();
    }
  });

  test("a level on a room does not apply to its house or another room", async () => {
    const { permissions, home, owner, agent, room } = await open();
    const ana = { agent: await agent("Ana") };
    const [hall, attic] = [await room("Hall"), await room("Attic")];
    await permissions.grant({ ...ana, on: hall, level: "x" }, owner);
    expect(await permissions.levelsOf(ana)).toEqual([{ on: hall, level: "x" }]);
    expect([await permissions.levelOf(ana, home), await permissions.levelOf(ana, attic)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("a room with members is open to them, to agents with a grant on it, and to admins of its house", async () => {
    const { permissions, home, owner, agent, room } = await open();
    const [ana, ben, cy] = [{ agent: await agent("Ana") }, { agent: await agent("Ben") }, { agent: await agent("Cy") }];
    for (const { agent } of [ana, ben]) await permissions.grant({ agent, on: home, level: "w" }, owner);
    const den = await room("Den", [ana.agent]);
    const seen = async () => [
      await permissions.levelOf(ana, den),
      await permissions.levelOf(ben, den),
      await permissions.levelOf(cy, den),
      await permissions.levelOf(owner, den),
    ];
    expect(await seen()).toEqual(["w", undefined, undefined, "x"]);
    await permissions.grant({ ...cy, on: den, level: "r" }, owner);
    await permissions.grant({ ...ben, on: home, level: "x" }, owner);
    expect(await seen()).toEqual(["w", "x", "r", "x"]);
  });

  test("end with the agent, the room or the membership that they depend on", async () => {
    const { store, permissions, records, home, owner, agent, room } = await open();
    const ana = { agent: await agent("Ana") };
    const hall = await room("Hall", []);
    await permissions.grant({ ...ana, on: hall, level: "r" }, owner);
    await records.mutate({ kind: "update", id: hall, content: { members: [ana.agent] } }, owner.agent);
    expect(await permissions.levelOf(ana, hall)).toBe("w");
    await records.mutate({ kind: "update", id: hall, content: { members: [] } }, owner.agent);
    expect(await permissions.levelOf(ana, hall)).toBe("r");
    await permissions.grant({ ...ana, on: home, level: "w" }, owner);
    await records.mutate({ kind: "remove", id: hall }, owner.agent);
    expect(await permissions.levelOf(ana, hall)).toBeUndefined();
    await records.mutate({ kind: "remove", id: ana.agent }, owner.agent);
    expect(await permissions.levelOf(ana, home)).toBeUndefined();
    const left = (await store.select({ table: "grants" })).map(({ agent }) => agent);
    expect(left).not.toContain(ana.agent);
  });

  test("cached results are dropped with each change", async () => {
    const { permissions, home, owner, agent } = await open();
    const ana = { agent: await agent("Ana") };
    const before = permissions.version();
    expect(await permissions.levelOf(ana, home)).toBeUndefined();
    await permissions.grant({ ...ana, on: home, level: "r" }, owner);
    expect([await permissions.levelOf(ana, home), permissions.version() > before]).toEqual(["r", true]);
    await permissions.revoke({ ...ana, on: home }, owner);
    expect(await permissions.levelOf(ana, home)).toBeUndefined();
  });
});

describe("grants", () => {
  test("are given by admins of the place at any level, not by others and not by a limited key", async () => {
    const { permissions, home, owner, agent, room } = await open();
    const [ana, ben] = [{ agent: await agent("Ana") }, await agent("Ben")];
    const hall = await room("Hall");
    for (const level of levels) {
      const scope = { level } as KeyScope;
      const expected = level === "x" ? "done" : "grant.exceeds";
      expect(await codeOf(permissions.grant({ agent: ben, on: hall, level: "r" }, { ...owner, scope }))).toBe(expected);
    }
    const elsewhere: KeyScope = { level: "x", on: [hall] };
    expect(await codeOf(permissions.grant({ agent: ben, on: home, level: "r" }, { ...owner, scope: elsewhere }))).toBe(
      "grant.exceeds",
    );
    await permissions.grant({ ...ana, on: home, level: "w" }, owner);
    expect(await codeOf(permissions.grant({ agent: ben, on: home, level: "r" }, ana))).toBe("grant.exceeds");
    expect(await codeOf(permissions.revoke({ agent: ben, on: hall }, ana))).toBe("grant.exceeds");
    await permissions.grant({ ...ana, on: hall, level: "x" }, owner);
    expect(await codeOf(permissions.grant({ agent: ben, on: hall, level: "x" }, ana))).toBe("done");
    expect(await codeOf(permissions.grant({ agent: ben, on: home, level: "r" }, ana))).toBe("grant.exceeds");
  });

  test("are recorded in the house's log", async () => {
    const { permissions, home, owner, agent, log } = await open();
    const ana = await agent("Ana");
    await permissions.grant({ agent: ana, on: home, level: "w" }, owner);
    await permissions.revoke({ agent: ana, on: home }, owner);
    await permissions.revoke({ agent: ana, on: home }, owner);
    expect(await log()).toMatchObject([
      { by: owner.agent, agent: ana, on: home, level: "w" },
      { by: owner.agent, agent: ana, on: home },
    ]);
    expect((await log())[1]).not.toHaveProperty("level");
  });

  test("need an existing agent and an existing place", async () => {
    const { permissions, home, owner, agent } = await open();
    const nobody = `agent_${"0".repeat(26)}` as AgentId;
    const nowhere = `room_${"0".repeat(26)}` as RoomId;
    expect(await codeOf(permissions.grant({ agent: nobody, on: home, level: "r" }, owner))).toBe("record.not-found");
    const ana = await agent("Ana");
    expect(await codeOf(permissions.grant({ agent: ana, on: nowhere, level: "r" }, owner))).toBe("record.not-found");
  });
});

describe("rights", () => {
  const rightsOf = async (
    permissions: Awaited<ReturnType<typeof open>>["permissions"],
    who: Parameters<typeof permissions.levelsOf>[0],
    home: HouseId,
  ) => {
    const held = await Promise.all(allRights.map((right) => permissions.hasRight(who, home, right)));
    return allRights.filter((_, index) => held[index] === true);
  };

  test("stand beside the level, are stored once and in order, and are part of `x`", async () => {
    const { permissions, home, owner, agent, room, log } = await open();
    const ana = { agent: await agent("Ana") };
    expect(await rightsOf(permissions, ana, home)).toEqual([]);
    const given = await permissions.grant(
      { ...ana, on: home, level: "w", rights: ["approve", "audit", "audit"] },
      owner,
    );
    expect(given.rights).toEqual(["audit", "approve"]);
    expect(await rightsOf(permissions, ana, home)).toEqual(["audit", "approve"]);
    expect(await permissions.levelOf(ana, home)).toBe("w");
    expect(await permissions.levelsOf(ana)).toEqual([{ on: home, level: "w", rights: ["audit", "approve"] }]);
    expect((await permissions.list(ana))[0]).toMatchObject({ level: "w", rights: ["audit", "approve"] });
    expect((await log()).at(-1)).toMatchObject({ level: "w", rights: ["audit", "approve"] });
    expect(await rightsOf(permissions, owner, home)).toEqual([...allRights]);
    expect((await permissions.levelsOf(owner))[0]).toEqual({ on: home, level: "x" });
    const hall = await room("Hall");
    await permissions.grant({ ...ana, on: hall, level: "x" }, owner);
    expect(await permissions.hasRight(ana, hall, "approve")).toBe(false);
  });

  test("stay with a new level, and end with their removal, with `x`, and with the grant", async () => {
    const { permissions, home, owner, agent } = await open();
    const ana = { agent: await agent("Ana") };
    const give = (level: Level, rights?: readonly Right[]) =>
      permissions.grant({ ...ana, on: home, level, ...(rights === undefined ? {} : { rights: [...rights] }) }, owner);
    await give("w", ["secrets", "audit"]);
    await give("r");
    expect(await rightsOf(permissions, ana, home)).toEqual(["secrets", "audit"]);
    await permissions.assign({ ...ana, on: home, level: "w" }, owner.agent);
    expect(await rightsOf(permissions, ana, home)).toEqual(["secrets", "audit"]);
    await give("w", ["audit"]);
    expect(await rightsOf(permissions, ana, home)).toEqual(["audit"]);
    await give("x");
    await give("w");
    expect(await rightsOf(permissions, ana, home)).toEqual([]);
    await give("w", ["audit"]);
    await permissions.revoke({ ...ana, on: home }, owner);
    expect(await rightsOf(permissions, ana, home)).toEqual([]);
  });

  test("A5: are given by admins of the house only, and never by a person who has just rights", async () => {
    const { permissions, home, owner, agent } = await open();
    const [ana, ben] = [{ agent: await agent("Ana") }, await agent("Ben")];
    await permissions.grant({ ...ana, on: home, level: "w", rights: [...allRights] }, owner);
    for (const right of allRights) {
      const given = { on: home, level: "r", rights: [right] } as const;
      for (const who of [ben, ana.agent])
        expect(await codeOf(permissions.grant({ ...given, rights: [right], agent: who }, ana))).toBe("grant.exceeds");
      const limited = { ...owner, scope: { level: "w", rights: [...allRights] } as KeyScope };
      expect(await codeOf(permissions.grant({ ...given, rights: [right], agent: ben }, limited))).toBe("grant.exceeds");
    }
    expect(await codeOf(permissions.revoke({ ...owner, on: home }, ana))).toBe("grant.exceeds");
  });

  test("are for people and on houses", async () => {
    const { permissions, records, home, owner, agent, room, house } = await open();
    const bot = (await records.get("agent", "main")).id;
    const ana = { agent: await agent("Ana") };
    const give = (to: AgentId, on: Place, rights: readonly Right[]) =>
      codeOf(permissions.grant({ agent: to, on, level: "w", rights: [...rights] }, owner));
    expect(await give(bot, home, ["approve"])).toBe("request.invalid");
    expect(await give(bot, home, [])).toBe("done");
    expect(await give(ana.agent, await room("Hall"), ["audit"])).toBe("request.invalid");
    const annex = await house("Annex");
    expect(await give(ana.agent, annex, ["audit"])).toBe("done");
    expect([await rightsOf(permissions, ana, annex), await rightsOf(permissions, ana, home)]).toEqual([["audit"], []]);
  });

  test("are limited by the scope of a key", async () => {
    const { permissions, home, owner, agent, room, house } = await open();
    const ana = { agent: await agent("Ana") };
    await permissions.grant({ ...ana, on: home, level: "w", rights: ["audit", "secrets"] }, owner);
    const [hall, annex] = [await room("Hall"), await house("Annex")];
    const rightsWith = (scope: KeyScope, who = ana) => rightsOf(permissions, { ...who, scope }, home);
    expect(await rightsWith({ level: "w" })).toEqual([]);
    expect(await rightsWith({ level: "x" })).toEqual(["secrets", "audit"]);
    expect(await rightsWith({ level: "r", rights: ["audit", "approve"] })).toEqual(["audit"]);
    expect(await rightsWith({ level: "r", rights: ["approve"] }, owner)).toEqual(["approve"]);
    expect(await rightsWith({ level: "r", rights: ["audit"], on: [home] })).toEqual(["audit"]);
    expect(await rightsWith({ level: "r", rights: ["audit"], on: [hall] })).toEqual([]);
    expect(await rightsWith({ level: "x", on: [annex] })).toEqual([]);
    expect(await rightsWith({ level: "x", rights: ["audit"], only: "metrics" })).toEqual([]);
    const scope: KeyScope = { level: "r", rights: ["audit"] };
    expect(await permissions.levelsOf({ ...owner, scope })).toContainEqual({ on: home, level: "r", rights: ["audit"] });
  });

  test("a change of the level does not undo a change of the rights at the same time", async () => {
    const { world, store, home, owner, agent, permissions: plain } = await open();
    const ana = { agent: await agent("Ana") };
    await plain.grant({ ...ana, on: home, level: "w", rights: ["audit"] }, owner);
    const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
    let removal: Promise<unknown> | undefined;
    const { permissions } = createIdentity({
      ...{ world, store },
      streams: {
        ...streams,
        async commit(change) {
          if (removal === undefined) await (removal = plain.grant({ ...ana, on: home, level: "w", rights: [] }, owner));
          return streams.commit(change);
        },
      },
    });
    expect(await codeOf(permissions.grant({ ...ana, on: home, level: "r" }, owner))).toBe("record.version");
    expect(await rightsOf(plain, ana, home)).toEqual([]);
  });
});

describe("a house", () => {
  test("are not given to an agent that is removed at the same time", async () => {
    const { world, store, home, owner, agent } = await open();
    const ana = await agent("Ana");
    const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
    let removal: Promise<unknown> | undefined;
    const { records, permissions } = createIdentity({
      ...{ world, store },
      streams: {
        ...streams,
        async commit(change) {
          if (removal === undefined) await (removal = records.mutate({ kind: "remove", id: ana }, owner.agent));
          return streams.commit(change);
        },
      },
    });
    expect(await codeOf(permissions.grant({ agent: ana, on: home, level: "w" }, owner))).toBe("record.not-found");
    expect(await store.select({ table: "grants", where: { agent: ana } })).toEqual([]);
  });

  test("of the only person with x can be repeated, and changed in a room", async () => {
    const { permissions, home, owner, room } = await open();
    const hall = await room("Hall");
    for (const [on, level] of [
      [home, "x"],
      [hall, "x"],
      [hall, "r"],
    ] as const)
      expect(await codeOf(permissions.grant({ agent: owner.agent, on, level }, owner))).toBe("done");
    expect(await codeOf(permissions.revoke({ agent: owner.agent, on: hall }, owner))).toBe("done");
    expect(await codeOf(permissions.grant({ agent: owner.agent, on: home, level: "w" }, owner))).toBe("grant.last");
  });

  test("are listed by place and by agent", async () => {
    const { permissions, home, owner, agent, room } = await open();
    const [ana, hall] = [await agent("Ana"), await room("Hall")];
    await permissions.grant({ agent: ana, on: hall, level: "r" }, owner);
    await permissions.grant({ agent: ana, on: home, level: "w" }, owner);
    const places = async (query?: Parameters<typeof permissions.list>[0]) =>
      (await permissions.list(query)).map(({ agent: who, on }) => `${who === ana ? "ana" : "other"} ${on}`);
    expect((await places({ agent: ana })).toSorted()).toEqual([`ana ${hall}`, `ana ${home}`].toSorted());
    expect(await places({ on: hall, agent: ana })).toEqual([`ana ${hall}`]);
    expect((await places({ on: home })).filter((place) => place.startsWith("ana"))).toEqual([`ana ${home}`]);
    expect((await places()).length).toBeGreaterThan(2);
  });

  test("keep a person with x: a bot does not count", async () => {
    const { permissions, records, home, owner, agent } = await open();
    const bot = (await records.get("agent", "main")).id;
    await permissions.grant({ agent: bot, on: home, level: "x" }, owner);
    expect(await codeOf(permissions.revoke({ ...owner, on: home }, owner))).toBe("grant.last");
    expect(await codeOf(permissions.grant({ ...owner, on: home, level: "w" }, owner))).toBe("grant.last");
    const ana = await agent("Ana");
    await permissions.grant({ agent: ana, on: home, level: "x" }, owner);
    expect(await codeOf(permissions.revoke({ ...owner, on: home }, owner))).toBe("done");
    expect(await codeOf(permissions.revoke({ agent: ana, on: home }, { agent: ana }))).toBe("grant.last");
  });

  test("keep one person when two with x revoke each other's grant at the same time", async () => {
    const { permissions, home, owner, agent } = await open();
    const ana = { agent: await agent("Ana") };
    await permissions.grant({ ...ana, on: home, level: "x" }, owner);
    const codes = await Promise.all([
      codeOf(permissions.revoke({ ...ana, on: home }, owner)),
      codeOf(permissions.revoke({ ...owner, on: home }, ana)),
    ]);
    expect(codes.toSorted()).toEqual(["done", "grant.last"]);
  });

  test("keep the only person with x when an agent of another house would remove them", async () => {
    const { permissions, records, owner, agent, house } = await open();
    const ana = { agent: await agent("Ana") };
    const annex = await house("Annex");
    await permissions.grant({ ...ana, on: annex, level: "x" }, owner);
    await permissions.revoke({ ...owner, on: annex }, ana);
    expect(await codeOf(records.mutate({ kind: "remove", id: ana.agent }, owner.agent))).toBe("grant.last");
    await permissions.grant({ ...owner, on: annex, level: "x" }, ana);
    expect(await codeOf(records.mutate({ kind: "remove", id: ana.agent }, owner.agent))).toBe("done");
  });
});

/** The rules again, by enumeration, with numbers as places and agents. */
interface Picture {
  readonly grants: readonly { readonly agent: number; readonly place: number; readonly level: Level }[];
  readonly members: readonly (readonly number[] | undefined)[];
}
const PEOPLE = 3;
/** Places 0 and 1 are houses; rooms 2 and 3 are in 0, room 4 is in 1. */
const HOUSE_OF = [0, 1, 0, 0, 1] as const;

const expected = ({ grants, members }: Picture, agent: number, place: number): Level | undefined => {
  const given = (on: number): Level | undefined =>
    grants.findLast((grant) => grant.agent === agent && grant.place === on)?.level;
  const ways = [given(place)];
  const house = HOUSE_OF[place] ?? 0;
  const list = place > 1 ? members[place - 2] : undefined;
  if (place > 1 && (list === undefined || given(house) === "x")) ways.push(given(house));
  if (list?.includes(agent) === true) ways.push("w");
  return levels.findLast((level) => ways.includes(level));
};

const person = fc.nat({ max: PEOPLE - 1 });
const picture: fc.Arbitrary<Picture> = fc.record({
  grants: fc.array(fc.record({ agent: person, place: fc.nat({ max: 4 }), level: fc.constantFrom(...levels) }), {
    maxLength: 12,
  }),
  members: fc.tuple(...[0, 1, 2].map(() => fc.option(fc.uniqueArray(person), { nil: undefined }))),
});

const draw = async ({ grants, members }: Picture) => {
  const { permissions, home, owner, agent, room, house } = await open();
  const annex = await house("Annex");
  const people: AgentId[] = [];
  for (let index = 0; index < PEOPLE; index += 1) people.push(await agent(`Person ${index}`));
  const places: Place[] = [home, annex];
  for (const [index, list] of members.entries())
    places.push(
      await room(
        `Room ${index}`,
        list?.map((name) => people[name] as AgentId),
        places[HOUSE_OF[index + 2] as number] as HouseId,
      ),
    );
  for (const { agent: grant, place, level } of grants)
    await permissions.grant({ agent: people[grant] as AgentId, on: places[place] as Place, level }, owner);
  return { permissions, people, places };
};

test("with any grants and members, every agent has the level of the rules, and no key more than its agent", async () => {
  await fc.assert(
    fc.asyncProperty(picture, fc.constantFrom(...levels), fc.nat({ max: 4 }), async (drawn, level, only) => {
      const { permissions, people, places } = await draw(drawn);
      for (const [index, agent] of people.entries()) {
        const seen = await permissions.levelsOf({ agent });
        for (const [number, place] of places.entries()) {
          const has = await permissions.levelOf({ agent }, place);
          expect([number, has]).toEqual([number, expected(drawn, index, number)]);
          expect(seen.find(({ on }) => on === place)?.level).toBe(has as Level);
          const scope = { level, on: [places[only] as Place] };
          const scoped = await permissions.levelOf({ agent, scope }, place);
          const isMeant = number === only || HOUSE_OF[number] === only;
          if (!isMeant) expect(scoped).toBeUndefined();
          else if (has === undefined) expect(scoped).toBeUndefined();
          else expect(scoped).toBe(includesLevel(has, level) ? level : has);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("an additional grant takes nothing away and affects only its agent", async () => {
  await fc.assert(
    fc.asyncProperty(picture, person, fc.nat({ max: 4 }), async (drawn, who, where) => {
      const { permissions, people, places } = await draw(drawn);
      const owner = { agent: (await permissions.list({ on: places[0] as Place }))[0]?.by as AgentId };
      const all = async () =>
        Promise.all(people.map((agent) => Promise.all(places.map((place) => permissions.levelOf({ agent }, place)))));
      const before = await all();
      const on = places[where] as Place;
      await permissions.grant({ agent: people[who] as AgentId, on, level: "x" }, owner);
      const after = await all();
      for (const [index, row] of before.entries())
        for (const [number, level] of row.entries()) {
          if (level !== undefined) expect(includesLevel(after[index]?.[number], level)).toBe(true);
          if (index !== who) expect(after[index]?.[number]).toBe(level as Level);
        }
    }),
    { numRuns: 40 },
  );
});
