/** What people of other houses see in the log of their own house. */
import { expect, test } from "bun:test";
import type { AgentId, HouseId, Level, Place } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createIdentity } from "../../fixtures/identity.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "./found-house.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

/** A home, and a second house in which Bea lives. */
const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const home = await foundHouse({ world, store, streams, timezone: () => "UTC" });
  const { records, permissions } = createIdentity({ world, store, streams });
  const owner = (await records.get("agent", "owner")).id;
  const annex = (await records.mutate({ kind: "create", type: "house", content: { name: "Annex" } }, owner))
    .id as HouseId;
  const create = async (type: "agent" | "room", house: HouseId, content: unknown) =>
    (await records.mutate({ kind: "create", type, house, content }, owner)).id;
  const bea = (await create("agent", annex, { name: "Bea", kind: "human" })) as AgentId;
  const told = async (house: HouseId): Promise<(readonly [AgentId, Place, Level | undefined])[]> =>
    (await streams.read(`house:${house}`, 0, 1000)).flatMap((event) =>
      event.type === "grant-changed" ? [[event.agent, event.on, event.level] as const] : [],
    );
  return { records, permissions, owner, home, annex, bea, create, told };
};

test("a grant in another house is reported there and at home, a revocation only there", async () => {
  const { permissions, owner, home, annex, bea, create, told } = await open();
  const hall = (await create("room", home, { name: "Hall" })) as Place;
  const before = await told(home);
  await permissions.grant({ agent: bea, on: hall, level: "r" }, { agent: owner });
  await permissions.grant({ agent: bea, on: home, level: "w" }, { agent: owner });
  await permissions.revoke({ agent: bea, on: hall }, { agent: owner });
  expect(await told(annex)).toEqual([
    [bea, hall, "r"],
    [bea, home, "w"],
  ]);
  expect((await told(home)).slice(before.length)).toEqual([
    [bea, hall, "r"],
    [bea, home, "w"],
    [bea, hall, undefined],
  ]);
});

test("a grant in the own house is reported once", async () => {
  const { permissions, owner, annex, bea, told } = await open();
  await permissions.grant({ agent: bea, on: annex, level: "r" }, { agent: owner });
  expect(await told(annex)).toEqual([[bea, annex, "r"]]);
});

test("an agent added to a room of another house is notified at home, once, and other agents are not", async () => {
  const { records, owner, home, annex, bea, create, told } = await open();
  const before = await told(home);
  const cy = await create("agent", annex, { name: "Cy", kind: "human" });
  const den = (await create("room", home, { name: "Den", members: [owner, bea] })) as Place;
  expect(await told(annex)).toEqual([[bea, den, "w"]]);
  const update = (content: Readonly<Record<string, unknown>>) =>
    records.mutate({ kind: "update", id: den, content }, owner);
  await update({ description: "small" });
  await update({ members: [owner, bea, cy] });
  await update({ members: [owner] });
  expect(await told(annex)).toEqual([
    [bea, den, "w"],
    [cy as AgentId, den, "w"],
  ]);
  expect(await told(home)).toEqual(before);
});

test("the creator of a house is notified at home of deciding there", async () => {
  const { records, owner, home, annex, told } = await open();
  expect(await told(home)).toEqual([[owner, annex, "x"]]);
  await records.mutate({ kind: "update", id: annex, content: { description: "behind the garden" } }, owner);
  expect(await told(home)).toHaveLength(1);
});
