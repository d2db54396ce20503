/** A list shows a caller exactly the items that the item's own route shows. */
import { describe, expect, test } from "bun:test";
import type { AgentId, AgentRecord, HouseId, KeyScope, Level, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import type { JsonSchema, OpenApiDocument } from "./docs/open-api.ts";
import { createFakeHouse, type FakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();

interface Compared {
  /** The route of one item: `{}` is its id. */
  readonly item: string;
  /** Field of the id in a list item. Absent: `id`. */
  readonly key?: string;
}

const same = { why: "The list and its items need the same level on one and the same place." };
const alone = { why: "Items have no separate route; the route's own test covers visibility." };

const lists: Readonly<Record<string, Compared | { readonly why: string }>> = {
  listHouses: { item: "/api/houses/{}" },
  listRooms: { item: "/api/rooms/{}" },
  listAgents: { item: "/api/agents/{}" },
  listAgentStates: { item: "/api/agents/{}/state", key: "agent" },
  listActivations: { item: "/api/activations/{}" },
  listRoomActivations: { item: "/api/activations/{}" },
  readHeads: { item: "/api/rooms/{}/events", key: "room" },
  listCompactions: { item: "/api/rooms/{}/events", key: "room" },
  listApprovals: { why: "The list and its items ask the same decider, by house; see approvals.test.ts." },
  listPendingProposals: {
    why: "Items have no route; the list and the list of one agent need the same level, see brains.test.ts.",
  },
  showActivationEgress: { why: "Its requests are read by the right to their activation." },
  ...{ diffBrain: same, listBrainVersions: same, listProposals: same, listWorkspaceLabels: same, listJobSlots: same },
  listTranscripts: same,
  ...{ listInbox: same, listSecrets: same, listPairings: same, listDeliveries: same, listRefused: same },
  ...{ doctor: same, findModelServers: same, listKnownProviders: same, listModels: same, listProviders: same },
  listMediaProviders: same,
  listAgentTools: { why: "A tool has no route; the list needs the right to read the agent." },
  ...{ listChannels: same, listApprovalRules: alone, listCells: alone, listGrants: alone, listKeys: alone },
  ...{ listInvites: same, listSessions: alone, listStops: alone, listSettings: same, listBackups: same },
  listBackupCopies: same,
  listOidcProviders: { why: "The login page shows the names of providers to every visitor." },
};

/** Operations whose answer is an array. */
const listsIn = ({ paths, components }: OpenApiDocument) => {
  const isList = (schema: JsonSchema | undefined): boolean => {
    const reference = schema?.["$ref"];
    const known = typeof reference === "string" ? components.schemas[reference.split("/").at(-1) ?? ""] : schema;
    return known?.["type"] === "array";
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get !== undefined && isList(get.responses["200"]?.content?.["application/json"]?.schema)
      ? [{ path, id: get.operationId }]
      : [],
  );
};

const world = () => createFakeWorld({ hash });
const operations = await (async () => {
  const house = await createFakeHouse(world());
  return listsIn((await (await house.call("/openapi.json")).json()) as OpenApiDocument);
})();

test("E4: every operation that lists has a row", () => {
  expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(lists).toSorted());
});

interface Caller {
  readonly home?: Level;
  readonly annex?: Level;
  readonly hall?: Level;
  /** The places of a key's scope. */
  readonly scope?: (scene: Scene) => KeyScope;
  /** Agent of the key. Absent: a separate person. */
  readonly as?: "owner" | "bot";
}

const callers: Readonly<Record<string, Caller>> = {
  "a stranger": {},
  "a reader of the home": { home: "r" },
  "who decides at home": { home: "x" },
  "a reader of the annex": { annex: "r" },
  "who decides in the annex": { annex: "x" },
  "a guest of the hall": { hall: "r" },
  "a reader of the home and guest of the hall": { home: "r", hall: "w" },
  "the owner's key for the hall": { as: "owner", scope: ({ hall }) => ({ level: "r", on: [hall] }) },
  "the owner's key for the home": { as: "owner", scope: ({ house }) => ({ level: "x", on: [house.house] }) },
  "the bot": { as: "bot" },
  "the bot's key for the hall": { as: "bot", scope: ({ hall }) => ({ level: "r", on: [hall] }) },
};

interface Scene {
  readonly house: FakeHouse;
  readonly annex: HouseId;
  readonly hall: RoomId;
  readonly cellar: RoomId;
  readonly agents: readonly AgentId[];
  readonly rooms: readonly RoomId[];
}

/** Two bots, each awake in rooms of both houses: open ones, one with members, and a direct one. */
const setUp = async (): Promise<Scene> => {
  const house = await createFakeHouse(world());
  const { records, rooms } = house.options.people;
  const { sessions } = house.options.agents.session;
  const owner = house.owner.id;
  const make = (type: "house" | "room" | "agent", content: unknown, at?: HouseId) =>
    records.mutate({ kind: "create", type, ...(at && { house: at }), content }, owner);
  const annex = (await make("house", { name: "Annex" })).id as HouseId;
  const butler = (await make("agent", { name: "Butler", kind: "bot" }, annex)) as AgentRecord;
  const members = [owner, butler.id, house.bot.id];
  const hall = (await make("room", { name: "Hall of the annex" }, annex)).id as RoomId;
  const cellar = (await make("room", { name: "Cellar", members }, annex)).id as RoomId;
  const study = (await make("room", { name: "Study", members }, house.house)).id as RoomId;
  const direct = (await rooms.direct(owner, house.bot.id)).id;
  const all = [house.room.id, hall, cellar, study, direct];
  const agents = [house.bot.id, butler.id];
  for (const room of all) {
    const message = await rooms.post(room, { text: "hi" }, owner);
    for (const agent of agents) {
      house.wake({ ...message, room }, agent);
      await sessions.request(agent, room, 1);
    }
  }
  return { house, annex, hall, cellar, agents, rooms: all };
};

const keyOf = async (scene: Scene, { as, scope, home, annex, hall }: Caller): Promise<string> => {
  const { house } = scene;
  const { records, permissions, keys } = house.options.people;
  const owner = { agent: house.owner.id };
  const make = async (): Promise<AgentId> => {
    const content = { name: "Caller", kind: "human" };
    const caller = await records.mutate({ kind: "create", type: "agent", level: "none", content }, owner.agent);
    return caller.id as AgentId;
  };
  const agent = as === "owner" ? owner.agent : as === "bot" ? house.bot.id : await make();
  for (const [on, level] of [[house.house, home] as const, [scene.annex, annex] as const, [scene.hall, hall] as const])
    if (level !== undefined) await permissions.grant({ agent, on, level }, owner);
  return (await keys.create({ name: "k", agent, ...(scope && { scope: scope(scene) }) }, owner)).key;
};

type Json = ReturnType<typeof JSON.parse>;

const ask = async ({ house }: Scene, path: string, key = house.key): Promise<{ status: number; body: Json }> => {
  const response = await house.call(path, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};

/** The list's path for each agent, room or house that it names. */
const pathsOf = ({ house, annex, agents, rooms }: Scene, path: string): readonly string[] => {
  const places: Readonly<Record<string, readonly string[]>> = {
    "/api/agents/": agents,
    "/api/rooms/": rooms,
    "/api/houses/": [house.house, annex],
  };
  const [start, ids] = Object.entries(places).find(([prefix]) => path.startsWith(`${prefix}{`)) ?? [];
  if (start === undefined || ids === undefined) return [path];
  return ids.map((id) => path.replace(/\{\w+\}/, id));
};

describe.each(Object.entries(callers))("%s", (_name, caller) => {
  test.each(Object.entries(lists).flatMap(([id, list]) => ("item" in list ? [[id, list] as const] : [])))(
    "shows %s exactly the items that the item's route shows",
    async (id, { item, key: field = "id" }) => {
      const scene = await setUp();
      const key = await keyOf(scene, caller);
      const path = operations.find((operation) => operation.id === id)?.path ?? "";
      let compared = 0;
      for (const list of pathsOf(scene, path)) {
        const { status, body } = await ask(scene, list, key);
        const listed = status === 200 ? body.map((one: Json) => one[field]) : [];
        for (const one of (await ask(scene, list)).body) {
          const isOpen = (await ask(scene, item.replace("{}", one[field]), key)).status === 200;
          // A refused list shows nothing.
          const isShown = status === 200 ? isOpen : false;
          expect([list, one[field], listed.includes(one[field])]).toEqual([list, one[field], isShown]);
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(1);
      scene.house.http.close();
    },
  );
});
