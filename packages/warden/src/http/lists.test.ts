/** A list shows a caller exactly the items that the item's own route shows. */
import { describe, expect, test } from "bun:test";
import {
  type Activation,
  type AgentId,
  type AgentLogEvent,
  type AgentRecord,
  type HouseId,
  type HouseLogEvent,
  type KeyScope,
  type Level,
  noUsage,
  type RoomId,
} from "@hearth/protocol";
import { allOperations, type Success } from "@hearth/protocol/operations";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { z } from "zod";
import { createBunWorld } from "../adapter/bun/world.ts";
import { plainRow } from "../fixtures/rows.ts";
import { insertActivation } from "../kernel/store/conformance/rows.conformance.ts";
import { createFakeHouse, type FakeHouse } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();

type Json = ReturnType<typeof JSON.parse>;

interface Compared {
  /** The route of one item: `{}` is its id. */
  readonly item: string;
  /** The id in a list item, or undefined for an item of another kind. Absent: its `id`. */
  readonly key?: (item: Json) => string | undefined;
  /** Parameters of the list's route. */
  readonly query?: string;
}

interface Explained {
  readonly why: string;
}

const same = { why: "The list and its items need the same level on one and the same place." };
const alone = { why: "Items have no separate route; the route's own test covers visibility." };
const fields = { why: "The answer is one item, and its route shows these fields of it." };
const change = { why: "The answer is the item that the caller has just changed, and has the level to read." };
const whole = { why: "The report is about the whole house, and needs `x` or a right there." };

/**
 * A row for each list in an answer: the operation and the path of the field. `operation.*` is a row
 * for all lists of an answer.
 */
const lists: Readonly<Record<string, readonly Compared[] | Explained>> = {
  listHouses: [{ item: "/api/houses/{}" }],
  listRooms: [{ item: "/api/rooms/{}" }],
  listAgents: [{ item: "/api/agents/{}" }],
  listAgentStates: [{ item: "/api/agents/{}/state", key: ({ agent }) => agent }],
  listActivations: [{ item: "/api/activations/{}" }],
  listRoomActivations: [{ item: "/api/activations/{}" }],
  "introspectAgent.last": [{ item: "/api/activations/{}" }],
  "introspectAgent.rooms": [{ item: "/api/rooms/{}/events", key: ({ room }) => room }],
  "introspectAgent.config.fallback": fields,
  "introspectAgent.config.tools": fields,
  readHeads: [{ item: "/api/rooms/{}/events", key: ({ room }) => room }],
  listCompactions: [{ item: "/api/rooms/{}/events", key: ({ room }) => room }],
  "search.messages": [{ item: "/api/rooms/{}/events", key: ({ room }) => room, query: "?q=hi" }],
  "search.agents": [{ item: "/api/agents/{}", query: "?q=bot" }],
  "search.rooms": [{ item: "/api/rooms/{}", query: "?q=hall" }],
  "search.files": { why: "The fake house remembers nothing; search.test.ts compares the files with `recall`." },
  "showBudget.budgets": { why: "The fake house has no limits; tests/policy/budgets.test.ts covers other houses." },
  "showUsage.groups": { why: "Groups are sums; usage.test.ts shows that they name only visible records." },
  "readHouseLog.events": [
    {
      item: "/api/rooms/{}",
      key: ({ type, record }) => (type === "record-changed" && record.type === "room" ? record.id : undefined),
    },
    {
      item: "/api/agents/{}",
      key: ({ type, record }) => (type === "record-changed" && record.type === "agent" ? record.id : undefined),
    },
    { item: "/api/agents/{}", key: ({ type, scope }) => (type === "hold-changed" ? scope : undefined) },
    {
      // Spending needs the level of the list of activations.
      item: "/api/agents/{}/activations",
      key: ({ type, agent }) => (type === "budget-warned" ? agent : undefined),
    },
  ],
  "readAgentLog.events": [
    {
      item: "/api/activations/{}",
      key: ({ type, activation }) => (type === "activation-started" ? activation : undefined),
    },
    {
      item: "/api/activations/{}",
      key: ({ type, activation }) => (type === "activation-ended" ? activation : undefined),
    },
    {
      item: "/api/rooms/{}/events",
      key: ({ type, room }) => (type === "compaction-failed" ? room : undefined),
    },
  ],
  ...{ "readRoom.events": same, "readLive.events": same, "readDeltas.events": same },
  listApprovals: { why: "The list and its items ask the same decider, by house; see approvals.test.ts." },
  listPendingProposals: {
    why: "Items have no route; the list and the list of one agent need the same level, see brains.test.ts.",
  },
  showActivationEgress: { why: "Its requests are read by the right to their activation." },
  ...{ "showActivation.*": fields, "showStepPrompt.*": fields },
  ...{ "showApproval.*": fields, "decideApproval.*": change },
  ...{ "readAudit.rows": whole, "exportAudit.lines": whole, "verifyAudit.findings": whole },
  ...{ "listBrain.files": same, "listBrain.notes": same, "readBrainFile.spans": fields, listBrainVersions: same },
  ...{ diffBrain: same, "undoBrain.*": change, "eraseBrain.*": change, "listWorkspace.entries": same },
  ...{ listProposals: same, "decideProposal.*": change, listWorkspaceLabels: same, "clearWorkspaceLabels.*": change },
  ...{ "recall.found": same, "remember.*": change, "forget.*": change, "showPrompt.*": fields },
  ...{ "memoryStatus.*": fields, "reindexMemory.*": change, "compactAgent.*": change },
  ...{ "listJobs.jobs": same, "listJobs.mistakes": same, listJobSlots: same, "previewJob.*": fields },
  listCells: { why: "The fake house has no cells; cells.test.ts compares them with rooms and activations." },
  "openCell.*": change,
  "listRoomViews.views": { why: "A caller sees their own views; tests/people/chats.test.ts covers lost rooms." },
  ...{ "listFates.fates": same, listTranscripts: same, "showTranscript.*": fields, "transcribe.*": change },
  ...{ listDescriptions: same, "editTranscript.*": change, "postMessage.*": change, "readDaemonLog.lines": whole },
  ...{ "branchChat.*": change, "listAttachments.files": same, "update.*": whole },
  "search.workspaceFiles": {
    why: "Each file needs the right to read its agent's workspace; see routes/search.test.ts.",
  },
  ...Object.fromEntries(
    ["health.failing", "readiness.failing"].map((name) => [
      name,
      { why: "The names of parts are shown to every visitor." },
    ]),
  ),
  ...{ listInbox: same, listPairings: same, listDeliveries: same, listRefused: same, listChannels: same },
  ...{ "status.cells": whole, doctor: same, "storage.*": whole, "security.*": whole },
  ...{ listBackups: same, listBackupCopies: same, setBackupTarget: change, listSettings: same, editSettings: change },
  ...{ "readRestore.*": whole, "decideRestore.*": whole, "readImport.*": whole, "previewImport.*": whole },
  "beginImport.*": whole,
  ...{ findModelServers: same, listKnownProviders: same, listModels: same, listProviders: same },
  ...{ "testNewProvider.*": fields, "replaceProviderKey.*": change, "testProvider.*": fields },
  ...{ listMediaProviders: same, "setMediaProvider.*": change },
  listAgentTools: { why: "A tool has no route; the list needs the right to read the agent." },
  ...{ "listIdentities.identities": same, "listPasskeys.passkeys": same },
  ...Object.fromEntries(
    ["listIdentities.providers", "listOidcProviders"].map((name) => [
      name,
      { why: "The login page shows the names of providers to every visitor." },
    ]),
  ),
  ...{ listApprovalRules: alone, listGrants: alone, listKeys: alone, listSessions: alone, listStops: alone },
  ...{ "grantHouse.*": change, "grantRoom.*": change, "createKey.*": change, "revokeKey.*": change },
  ...{ listInvites: same, "createInvite.*": change, "revokeInvite.*": change },
  "previewInvite.*": { why: "The code of the invite is the right to see it." },
  "me.*": { why: "The answer is about the caller alone." },
  ...Object.fromEntries(
    ["showNotifications.*", "changeNotifications.*", "removeNotificationDevice.*"].map((name) => [
      name,
      { why: "The devices and choices are the caller's own." },
    ]),
  ),
  ...Object.fromEntries(
    ["confirmSecondFactor.*", "renewRecoveryCodes.*"].map((name) => [
      name,
      { why: "The recovery codes are the caller's own." },
    ]),
  ),
  ...{ listSecrets: same, "setSecret.*": change, "rotateSecret.*": change, "grantSecret.*": change },
  ...{ "directRoom.*": change, "newChat.*": change, "renameRoom.*": change, "createRoom.*": change },
  ...{ "showRoom.*": fields, "editRoom.*": change, "removeRoom.*": change },
  ...{ "showAgent.*": fields, "createAgent.*": change, "editAgent.*": change, "removeAgent.*": change },
};

/** The paths of the outermost lists in a schema. `*` stands for the keys of a record. */
const listsIn = (schema: Json): ReadonlySet<string> => {
  const paths = new Set<string>();
  const definitions = schema.$defs ?? {};
  const visit = (part: Json, path: string, seen: readonly string[]): void => {
    if (typeof part !== "object" || part === null) return;
    const name = typeof part.$ref === "string" ? part.$ref.split("/").at(-1) : undefined;
    if (name !== undefined) {
      if (!seen.includes(name)) visit(definitions[name], path, [...seen, name]);
      return;
    }
    if (part.type === "array") {
      paths.add(path);
      return;
    }
    for (const option of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])])
      visit(option, path, seen);
    for (const [key, property] of Object.entries(part.properties ?? {})) visit(property, `${path}.${key}`, seen);
    visit(part.additionalProperties, `${path}.*`, seen);
  };
  visit(schema, "", []);
  return paths;
};

/** Every list in the answer of an operation, as `operation` or `operation.field`. */
const found = allOperations.flatMap(({ id, answers, otherwise }) =>
  [...new Set([answers, otherwise].flatMap((success) => [...listsOf(success)]))].map((path) => `${id}${path}`),
);

function listsOf(success: Success | undefined): ReadonlySet<string> {
  if (success?.type?.includes("ndjson") === true) return new Set([".lines"]);
  if (success?.schema === undefined) return new Set();
  return listsIn(z.toJSONSchema(success.schema, { io: "output", unrepresentable: "any" }));
}

const rowsFor = (list: string): readonly string[] =>
  Object.keys(lists).filter((row) => row === list || (row.endsWith(".*") && list.startsWith(row.slice(0, -1))));

test("E4: every operation that lists has a row", () => {
  expect(found.filter((list) => rowsFor(list).length !== 1)).toEqual([]);
});

test("every row is about a list in an answer", () => {
  const used = new Set(found.flatMap(rowsFor));
  expect(Object.keys(lists).filter((row) => !used.has(row))).toEqual([]);
});

test("lists are found in pages, records, unions and references", () => {
  const Page = z.object({ rows: z.array(z.string()), head: z.int() });
  const Tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), below: Tree.optional(), all: z.array(Tree) }));
  const schema = z.union([z.array(z.int()), z.object({ page: Page, by: z.record(z.string(), Page), tree: Tree })]);
  expect([...listsIn(z.toJSONSchema(schema))].toSorted()).toEqual(["", ".by.*.rows", ".page.rows", ".tree.all"]);
});

const world = () => createFakeWorld({ hash });

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
  const butler = (await make("agent", { name: "Butler bot", kind: "bot" }, annex)) as AgentRecord;
  const members = [owner, butler.id, house.bot.id];
  const hall = (await make("room", { name: "Hall of the annex" }, annex)).id as RoomId;
  const cellar = (await make("room", { name: "Cellar", members }, annex)).id as RoomId;
  const study = (await make("room", { name: "Study", members }, house.house)).id as RoomId;
  const direct = (await rooms.direct(owner, house.bot.id)).id;
  const all = [house.room.id, hall, cellar, study, direct];
  await make("agent", { name: "Another bot", kind: "bot" }, house.house);
  const agents = [house.bot.id, butler.id];
  for (const room of all) {
    const message = await rooms.post(room, { text: "hi" }, owner);
    for (const agent of agents) {
      const { id: activation, cause } = house.wake({ ...message, room }, agent);
      await store(house, { id: activation, agent, room, cause });
      await sessions.request(agent, room, 1);
      const about = { at: 0, activation, agent, room };
      await log(house, `agent:${agent}`, { type: "activation-started", ...about, trigger: "direct", cause });
      await log(house, `agent:${agent}`, { type: "activation-ended", ...about, state: "replied", usage: noUsage });
      await log(house, `agent:${agent}`, { type: "compaction-failed", ...about, reason: "no model", usage: noUsage });
    }
  }
  for (const [agent, at] of [
    [house.bot.id, house.house],
    [butler.id, annex],
  ] as const) {
    await house.options.turns.stops.stop(agent, owner);
    const spent = { tokens: 1 };
    await log(house, `house:${at}`, {
      ...{ type: "budget-warned", at: 0, agent, per: "day", period: "2026-01-31" },
      ...{ percent: 80, limit: spent, spent },
    });
  }
  return { house, annex, hall, cellar, agents, rooms: all };
};

/** Stores the row of an activation, which the fake house only has in memory. */
const store = async (house: FakeHouse, about: Pick<Activation, "id" | "agent" | "room" | "cause">): Promise<void> => {
  const insert = insertActivation("a");
  if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
  const row = plainRow("activations", { ...insert.row, ...about });
  await house.store.commit({ writes: [{ kind: "insert", table: "activations", row }] });
};

const log = async (
  { options }: FakeHouse,
  stream: `agent:${AgentId}` | `house:${HouseId}`,
  event: AgentLogEvent | HouseLogEvent,
): Promise<void> => {
  const { streams, world } = options.kernel;
  await streams.append({ stream, id: world.ids.fresh("evt"), event });
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

const compared = Object.entries(lists).flatMap(([list, row]) =>
  "why" in row ? [] : row.map((id) => [list, id] as const),
);

describe.each(Object.entries(callers))("%s", (_name, caller) => {
  test.each(compared)("sees in %s exactly the items that the item's route shows", async (list, compare) => {
    const { item, key: idOf = ({ id }: Json) => id, query = "" } = compare;
    const scene = await setUp();
    const key = await keyOf(scene, caller);
    const [id = "", ...field] = list.split(".");
    const path = allOperations.find((operation) => operation.id === id)?.path ?? "";
    const idsIn = (body: Json): readonly string[] =>
      field.reduce((part, name) => part[name], body).flatMap((entry: Json) => idOf(entry) ?? []);
    let count = 0;
    for (const place of pathsOf(scene, path)) {
      const { status, body } = await ask(scene, `${place}${query}`, key);
      const listed = status === 200 ? idsIn(body) : [];
      for (const id of idsIn((await ask(scene, `${place}${query}`)).body)) {
        const isOpen = (await ask(scene, item.replace("{}", id), key)).status === 200;
        // A refused list shows nothing.
        const isShown = status === 200 && isOpen;
        expect([place, id, listed.includes(id)]).toEqual([place, id, isShown]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(1);
    scene.house.http.close();
  });
});
