/** Cost of visibility checks, in store reads. */
import { expect, test } from "bun:test";
import {
  type AgentId,
  type AgentRecord,
  type HouseId,
  type Level,
  noUsage,
  type RoomRecord,
  type StoredEvent,
} from "@hearth/protocol";
import { createTestDisk, openTestHouse, type TestDisk } from "../fixtures/house.ts";
import type { Principal } from "../people/permissions/principal.ts";
import type { Store } from "../kernel/store/store.ts";
import { createEventVisibility, createVisibilityOf } from "./visibility.ts";

/** Records the table of each read. */
const counting = (store: Store) => {
  const reads: string[] = [];
  const counted: Store = {
    ...store,
    select(query) {
      reads.push(query.table);
      return store.select(query);
    },
  };
  return { store: counted, reads };
};

/** A house with this many bots and rooms, and a person who may read two of its rooms. */
const openHouse = async (disk: TestDisk, count: number) => {
  const { store, reads } = counting(disk.store);
  const house = await openTestHouse({ disk: { ...disk, store }, script: () => ({ text: "" }) });
  const make = async (path: string, body: unknown) => {
    const { status, json } = await house.ask("POST", path, body);
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`);
    return json;
  };
  const bots: { readonly id: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    bots.push(await make("/api/agents", { content: { name: `Bot ${index}`, kind: "bot" } }));
    await make("/api/rooms", { content: { name: `Room ${index}`, members: [bots[index]?.id] } });
  }
  const guest = await make("/api/agents", { level: "none", content: { name: "Guest", kind: "human" } });
  for (const index of [0, 1]) await house.ask("PUT", `/api/rooms/room-${index}/grants/guest`, { level: "r" });
  const { key } = await make("/api/keys", { agent: guest.id, name: "guest" });
  return {
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
    /** Sends a request with empty caches of records and levels. Identifying the key is one read. */
    async ask(path: string) {
      await house.ask("PATCH", "/api/rooms/room-2", { content: { description: `before ${path}` } });
      const start = reads.length;
      const { json } = await house.ask("GET", path, undefined, key);
      return {
        names: json.map(({ content }: { content: { name: string } }) => content.name),
        reads: reads.slice(start),
      };
    },
  };
};

test.each([
  // The key, its owner and their grants; the agents, the rooms and the house; and the grants on it
  // and on each of the two rooms.
  ["/api/agents", ["Owner", "Bot 0", "Bot 1", "Guest"], 9],
  ["/api/rooms", ["Room 0", "Room 1"], 4],
  ["/api/houses", ["home"], 6],
] as const)(
  "%s costs a guest of two rooms equally many reads in a small and a large house",
  async (path, names, cost) => {
    for (const count of [4, 40]) {
      using disk = createTestDisk();
      await using house = await openHouse(disk, count);
      const seen = await house.ask(path);
      expect(seen.names).toEqual([...names]);
      // Fewer if another caller of the house has filled the cache.
      expect(seen.reads.length).toBeLessThanOrEqual(cost);
    }
  },
);

test("a visibility check reads each room once for any number of agents, and none for an open house", async () => {
  const looked: string[] = [];
  const [home, annex] = ["house_home", "house_annex"] as HouseId[];
  const rooms = ["room_a", "room_b"].map((id) => ({ type: "room", id, house: home }) as RoomRecord);
  const agent = (id: string, house = home) => ({ type: "agent", id, house }) as AgentRecord;
  const sees = createVisibilityOf({
    records: {
      get: () => Promise.reject(new Error("unasked")),
      list: async (type: string) => (type === "room" ? rooms : []) as never[],
    },
    permissions: {
      levelOf: async (_, place) => (place === annex ? "r" : undefined),
      async levelIn(_, { id }) {
        looked.push(id);
        return id === "room_a" ? "r" : undefined;
      },
      async readers(open) {
        looked.push(...open.map(({ id }) => `in ${id}`));
        return new Set([agent("agent_3").id]);
      },
    },
  })({ agent: "agent_me" } as Principal);
  for (const id of ["agent_me", "agent_1"]) expect(await sees(agent(id, annex))).toBe(true);
  expect(looked).toEqual([]);
  const seen = await Promise.all([1, 2, 3, 4].map((index) => sees(agent(`agent_${index}`))));
  expect(seen).toEqual([false, false, true, false]);
  expect(looked).toEqual(["room_a", "room_b", "in room_a"]);
});

const readers = ["nothing", "sight", "right", "r there", "x there", "r on its house", "x at home", "itself"] as const;
type Reader = (typeof readers)[number];

/** Events of logs about another agent and room, each with the levels that show it. */
const events: Readonly<Record<string, { readonly event: object; readonly by: readonly Reader[] }>> = {
  "a record that changed": { event: { type: "record-changed", record: { id: "room_x" } }, by: ["sight"] },
  "a grant of another agent": { event: { type: "grant-changed", agent: "agent_x", on: "room_x" }, by: ["x there"] },
  "a grant of the reader": { event: { type: "grant-changed", agent: "agent_me", on: "room_x" }, by: readers },
  "a secret": { event: { type: "secret-changed", on: "house_x" }, by: ["right"] },
  "the total spending": { event: { type: "budget-warned" }, by: ["x at home"] },
  "an agent's spending": { event: { type: "budget-warned", agent: "agent_x" }, by: ["r on its house", "itself"] },
  "a key of another person": { event: { type: "key-created", by: "agent_x" }, by: ["x at home"] },
  "a revoked key of another person": { event: { type: "key-revoked", by: "agent_x" }, by: ["x at home"] },
  "a key of the reader": { event: { type: "key-created", by: "agent_me" }, by: readers },
  "a stop of the house": { event: { type: "hold-changed", scope: "house" }, by: readers },
  "a stop of an agent": { event: { type: "hold-changed", scope: "agent_x" }, by: ["sight"] },
  "a turn that began": {
    event: { type: "activation-started", agent: "agent_x", room: "room_x" },
    by: ["r there", "x there", "itself"],
  },
  "a turn that ended": {
    event: { type: "activation-ended", agent: "agent_x", room: "room_x", usage: noUsage },
    by: ["r there", "x there", "itself"],
  },
  "a compaction": { event: { type: "compacted", room: "room_x" }, by: ["r there", "x there"] },
  "a failed compaction": { event: { type: "compaction-failed", room: "room_x" }, by: ["r there", "x there"] },
  "a pinned room": { event: { type: "room-view-changed", view: { room: "room_x" } }, by: ["r there", "x there"] },
  "a login": { event: { type: "session-began" }, by: readers },
  "an event that these logs do not hold": { event: { type: "message" }, by: [] },
};

test.each(Object.entries(events))("%s is shown to the readers of what it names", async (_name, { event, by }) => {
  const seen: Reader[] = [];
  for (const reader of readers) {
    const levels: Partial<Record<Reader, readonly [place: string, level: Level]>> = {
      "r there": ["room_x", "r"],
      "x there": ["room_x", "x"],
      "r on its house": ["house_x", "r"],
      "x at home": ["house_home", "x"],
    };
    const [place, level] = levels[reader] ?? [];
    const canSee = createEventVisibility({
      home: "house_home" as HouseId,
      records: { find: async () => ({ id: "agent_x", house: "house_x" }) as never },
      levelOf: async (_, on) => (on === place ? level : undefined),
      hasRight: async () => reader === "right",
      sees: async () => reader === "sight",
      isOwn: (_, agent: AgentId) => reader === "itself" && String(agent) === "agent_x",
    });
    if (await canSee({ agent: "agent_me" } as Principal, event as StoredEvent)) seen.push(reader);
  }
  expect(seen).toEqual([...by]);
});
