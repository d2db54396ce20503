/** The gates of an ambient activation, one by one, without a model. */
import { describe, expect, test } from "bun:test";
import type { AgentContent, AgentId, AgentRecord, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { plainRow } from "../../../fixtures/rows.ts";
import { insertActivation } from "../../../kernel/store/conformance/rows.conformance.ts";
import { createMemoryStore } from "../../../kernel/store/memory.ts";
import type { Row } from "../../../kernel/store/tables/tables.ts";
import { ambientOf, createGates, type GatesOptions } from "./gates.ts";

const BEN = "agent_ben" as AgentId;
const ROOM = "room_1" as RoomId;
const signal = new AbortController().signal;

interface Scene {
  readonly content?: Partial<AgentContent>;
  /** The authors of the latest messages, oldest first. */
  readonly authors?: readonly string[];
  readonly row?: Partial<Row<"activations">>;
  readonly replies?: number;
  readonly refusal?: string;
  readonly isRemoved?: boolean;
  readonly fence?: number;
}

const open = async (scene: Scene = {}) => {
  const { content = {}, authors = ["agent_ana"], row = {}, replies = 0, refusal, isRemoved, fence = 1 } = scene;
  const world = createFakeWorld({ hash: String });
  const store = createMemoryStore();
  const insert = insertActivation("act_1");
  if (insert.kind !== "insert" || insert.table !== "activations") throw new Error("no insert");
  const full = plainRow("activations", { ...insert.row, agent: BEN, room: ROOM, ready_at: 7, ...row } as never);
  await store.commit({
    writes: [
      { kind: "insert", table: "activations", row: full },
      { kind: "insert", table: "leases", row: { name: BEN, holder: "here", fence: 1, expires_at: 9 } as never },
    ],
  });
  const agent = {
    id: BEN,
    house: "house_1",
    handle: "ben",
    content: { name: "Ben", kind: "bot", ambient: { relevance: "off" }, ...content },
  } as unknown as AgentRecord;
  const messages = authors.map((author, index) => ({
    ...{ type: "message", id: `evt_${index}`, offset: index + 1, author, room: ROOM, at: 1 },
    ...{ body: { format: "markdown", text: "hi" }, mentions: [], causes: [] },
  }));
  let counted = replies;
  const unused = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`${String(name)} was called`)) });
  const gates = createGates({
    ...{ world, store, journal: unused, chokePoint: unused, providers: unused, telemetry: unused },
    records: { find: async () => (isRemoved === true ? undefined : agent) },
    streams: { head: async () => messages.length, read: async (_: string, after: number) => messages.slice(after) },
    budgets: { refusal: async () => refusal },
    chainLimits: {
      countReplies: async () => counted,
      isAtReplyLimit: (count: number) => count >= 3,
      planReply: async () => ({
        guard: { kind: "absent", table: "readers", where: { reader: "x", stream: "y" } },
        write: { kind: "put", table: "readers", row: { reader: "replies", stream: `room:${ROOM}`, offset: 1 } },
      }),
    },
  } as unknown as GatesOptions);
  const lease = {
    agent: BEN,
    fence,
    guard: { name: "lease", kind: "exists", table: "leases", where: { name: BEN, fence } },
    renewal: () => [],
  };
  const stateOf = async () => {
    const [found] = await store.select({ table: "activations", where: { id: full.id } });
    return { state: found?.state, skip: found?.skip ?? null, readyAt: found?.ready_at };
  };
  return {
    store,
    full,
    stateOf,
    addReply: () => void (counted += 1),
    pass: () => gates.pass(full, lease as never, signal),
  };
};

describe("an ambient activation", () => {
  test("that passes every gate runs, and the room counts its reply", async () => {
    const { store, pass, stateOf } = await open();
    expect(await pass()).toMatchObject({ kind: "allowed", row: { id: "act_1", ready_at: 0 } });
    expect(await stateOf()).toEqual({ state: "queued", skip: null, readyAt: 0 });
    expect(await store.select({ table: "readers" })).toHaveLength(1);
  });

  test.each([
    ["has just written", { authors: [BEN, "agent_ana"] }, "cooldown"],
    ["is over its budget", { refusal: "The day is used up." }, "budget"],
    ["is in a room with too many replies", { replies: 3 }, "replies"],
  ] as const)("of an agent that %s is skipped, and the log names the gate", async (_title, scene, skip) => {
    const { store, pass, stateOf } = await open(scene);
    expect(await pass()).toEqual({ kind: "over" });
    expect(await stateOf()).toEqual({ state: "skipped", skip, readyAt: 7 });
    const [row] = await store.select({ table: "activations", where: { id: "act_1" } });
    expect([row?.reason === null, row?.ended_at === null]).toEqual([false, false]);
    expect(await store.select({ table: "readers" })).toEqual([]);
  });

  test.each([
    ["wrote a message before the last five", { authors: [BEN, "a", "b", "c", "d", "e"] }],
    ["has no cooldown", { authors: [BEN], content: { ambient: { relevance: "off", cooldown: false } } }],
    ["is below the limit of replies", { replies: 2 }],
    ["was removed, because its run says so", { isRemoved: true, authors: [BEN] }],
  ] as const)("passes if the agent %s", async (_title, scene) => {
    expect((await (await open(scene as Scene)).pass()).kind).toBe("allowed");
  });

  test("that is not ambient, or has passed before, is not checked again", async () => {
    expect(await (await open({ row: { ready_at: 0 }, authors: [BEN] })).pass()).toMatchObject({ kind: "allowed" });
    const { store, pass } = await open({ authors: [BEN] });
    const set = { ready_at: 0 };
    await store.commit({ writes: [{ kind: "update", table: "activations", where: { id: "act_1" }, set }] } as never);
    expect(await pass()).toMatchObject({ kind: "allowed", row: { ready_at: 0 } });
  });

  test.each(["stopped", "skipped", "merged"])(
    "that is %s meanwhile does not run and keeps its state",
    async (state) => {
      const { store, pass, stateOf } = await open();
      await store.commit({
        writes: [{ kind: "update", table: "activations", where: { id: "act_1" }, set: { state } }],
      } as never);
      expect(await pass()).toEqual({ kind: "over" });
      expect((await stateOf()).state).toBe(state as never);
    },
  );

  test.each([
    ["that is skipped", { authors: [BEN] }],
    ["that passes", {}],
    ["that a model would judge", { content: { ambient: { relevance: "model" } } }],
  ])("%s fails when another holder has the lease, and is left to it", async (_title, scene) => {
    const { pass, stateOf } = await open({ ...(scene as Scene), fence: 0 });
    await expect(pass()).rejects.toMatchObject({ code: "lease.lost" });
    expect(await stateOf()).toEqual({ state: "queued", skip: null, readyAt: 7 });
  });

  test.each([
    ["is skipped", { authors: [BEN] }],
    ["passes", {}],
    ["waits for a model", { content: { ambient: { relevance: "model" } } }],
  ])("that a message replaced just before it %s ends without an error", async (_title, scene) => {
    const { store, pass } = await open(scene as Scene);
    const { commit } = store;
    let isReplaced = false;
    Object.assign(store, {
      async commit(change: Parameters<typeof commit>[0]) {
        if (!isReplaced) {
          isReplaced = true;
          const set = { state: "merged" };
          await commit({ writes: [{ kind: "update", table: "activations", where: { id: "act_1" }, set }] } as never);
        }
        return commit(change);
      },
    });
    expect(await pass()).toEqual({ kind: "over" });
    const [row] = await store.select({ table: "activations", where: { id: "act_1" } });
    expect(row?.state).toBe("merged" as never);
  });

  test("counts again when another reply was planned at the same time", async () => {
    const { store, pass, stateOf, addReply } = await open({ replies: 2 });
    const { commit } = store;
    let isFirst = true;
    Object.assign(store, {
      async commit(change: Parameters<typeof commit>[0]) {
        if (!isFirst) return commit(change);
        isFirst = false;
        addReply();
        return { kind: "refused" };
      },
    });
    expect(await pass()).toEqual({ kind: "over" });
    expect(await stateOf()).toMatchObject({ state: "skipped", skip: "replies" });
  });
});

test("the settings of an agent have defaults, and its model is listed only if it has one", () => {
  const of = (ambient?: object) =>
    ambientOf({ content: { ...(ambient === undefined ? {} : { ambient }) } } as unknown as AgentRecord);
  expect(of()).toEqual({ debounceMs: 3000, cooldown: true, relevance: "words" });
  expect(of({ model: "fake/small" })).toMatchObject({ relevance: "model", model: "fake/small" });
  expect(of({ cooldown: false, relevance: "off", debounceMs: 0, model: "fake/small" })).toEqual({
    ...{ debounceMs: 0, cooldown: false, relevance: "off", model: "fake/small" },
  });
});
