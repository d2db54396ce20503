/** Tests the room reader alone: what it reads, how often, and which offsets it stores. */
import { expect, test } from "bun:test";
import type { AgentId, EventId, MessageEvent, RoomId, Stored } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { newActivation } from "../../kernel/journal/activation.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import type { Commit } from "../../kernel/store/store.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createDispatch } from "./dispatch.ts";
import type { WakePlan, WhoWakes } from "./who-wakes.ts";

const { hash } = createBunWorld();
const [room, other] = ["room_1" as RoomId, "room_2" as RoomId];
const [ana, ben] = ["agent_ana" as AgentId, "agent_ben" as AgentId];
const storesOffset = ({ writes }: Commit): boolean =>
  writes.some((write) => "table" in write && write.table === "readers");
const NOBODY: WakePlan = { rows: [], guards: [], writes: [] };

const open = () => {
  const world = createFakeWorld({ hash });
  const store = { ...createMemoryStore() };
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const log = createFakeLog();
  const woken: string[] = [];
  const stopped: number[] = [];
  let said = 0;
  const wakeAll = (messages: readonly Stored<MessageEvent>[]): WakePlan => ({
    ...NOBODY,
    rows: messages.map((message) => newActivation({ world, message, agent: ben, trigger: "mention", now: 0 })),
  });
  const start = (whoWakes: WhoWakes) => {
    const closing = new AbortController();
    const dispatch = createDispatch({
      ...{ world, store, streams, log, whoWakes },
      records: {
        list: async () => [{ id: room }, { id: other }],
        find: async () => ({ content: { kind: "human" } }),
      } as never,
      wake: (rows) => void woken.push(...rows.map(({ cause }) => cause)),
      stopBefore: async (_room, offset) => void stopped.push(offset),
    });
    const running = dispatch.run(closing.signal);
    return {
      settle: () => world.advance(0),
      async close() {
        closing.abort();
        await running;
      },
    };
  };
  const say = async (text = "hello", where = room): Promise<void> => {
    said += 1;
    const event = {
      type: "message",
      room: where,
      author: ana,
      at: 0,
      body: { format: "markdown", text },
      mentions: [],
      causes: [],
    } as const;
    await streams.append({
      stream: `room:${where}`,
      id: `evt_${said}` as EventId,
      event: { ...event, mentions: [], causes: [] },
    });
    for (let turn = 0; turn < 5; turn += 1) await world.advance(0);
  };
  const reads = async (): Promise<number> =>
    (await store.select({ table: "readers", where: { reader: "dispatch" } }))[0]?.offset ?? 0;
  return { world, store, log, woken, stopped, wakeAll, start, say, reads };
};

test("each message is read once, also across a restart", async () => {
  const { wakeAll, start, say, woken } = open();
  const first = start(async (_room, messages) => wakeAll(messages));
  await say();
  await say();
  await first.close();
  await say();
  const second = start(async (_room, messages) => wakeAll(messages));
  await second.settle();
  expect(woken).toEqual(["evt_1", "evt_2", "evt_3"]);
  await second.close();
});

test("a message that woke no agent wakes none after a crash, even with other settings, and costs no sync", async () => {
  const { start, say, reads, wakeAll, woken, store } = open();
  const synced: unknown[] = [];
  const { commit } = store;
  store.commit = (change) => {
    if (storesOffset(change) && change.isReproducible !== true) synced.push(change);
    return commit(change);
  };
  start(async () => NOBODY);
  for (let index = 1; index <= 60; index += 1) {
    await say();
    expect(await reads()).toBe(index);
  }
  expect(synced).toEqual([]);
  // The first reader is never closed, as if its daemon had been killed. From now on every message
  // wakes an agent.
  const second = start(async (_room, messages) => wakeAll(messages));
  await second.settle();
  expect(woken).toEqual([]);
  await second.close();
});

test("an offset that the disk refused is stored at the next read of the room", async () => {
  const { start, say, reads, store, world } = open();
  const { commit } = store;
  let failures = 1;
  store.commit = (change) => {
    if (!storesOffset(change) || failures === 0) return commit(change);
    failures -= 1;
    return Promise.reject(new Error("the disk is full"));
  };
  const reader = start(async () => NOBODY);
  await say();
  await world.advance(1000);
  expect({ failures, reads: await reads() }).toEqual({ failures: 0, reads: 1 });
  await reader.close();
});

test("when two readers read one room, one decides, and replaced activations do not return", async () => {
  const { world, store, wakeAll, start, say, woken, log } = open();
  const late = Promise.withResolvers<void>();
  const slow = start(async (_room, messages) => {
    const plan = wakeAll(messages);
    await late.promise;
    return plan;
  });
  const quick = start(async (_room, messages) => wakeAll(messages));
  await say();
  expect(woken).toEqual(["evt_1"]);
  // A later message replaces an activation that waits for a silence in the same way.
  await store.commit({ writes: [{ kind: "delete", table: "activations", where: { cause: "evt_1" } }] });
  late.resolve();
  await world.advance(5000);
  expect(woken).toEqual(["evt_1"]);
  expect(await store.select({ table: "activations" })).toEqual([]);
  expect(log.lines.join()).toContain("another daemon read room:");
  await say();
  expect(woken.toSorted()).toEqual(["evt_1", "evt_2"]);
  await slow.close();
  await quick.close();
});

test("a plan is recomputed when its inputs have changed", async () => {
  const { store, wakeAll, start, say, woken } = open();
  let plans = 0;
  const reader = start(async (_room, messages) => {
    plans += 1;
    if (plans === 2)
      await store.commit({ writes: [{ kind: "put", table: "cursors", row: { channel: "c", cursor: "1" } }] });
    return { ...wakeAll(messages), guards: [{ kind: "exists", table: "cursors", where: { cursor: "1" } }] };
  });
  await say();
  expect([plans, woken]).toEqual([2, ["evt_1"]]);
  await reader.close();
});

test("a stop message wakes no agent and ends the activations of earlier messages", async () => {
  const { wakeAll, start, say, woken, stopped } = open();
  await say();
  await say("stop");
  await say();
  const reader = start(async (_room, messages) => wakeAll(messages));
  for (let turn = 0; turn < 5; turn += 1) await reader.settle();
  expect([woken, stopped]).toEqual([["evt_1", "evt_3"], [2]]);
  await reader.close();
});

test("a slow room delays no other room, and its reading resumes at its offset", async () => {
  const { world, wakeAll, start, say, woken } = open();
  const late = Promise.withResolvers<void>();
  const reader = start(async (id, messages) => {
    if (id === room) await late.promise;
    return wakeAll(messages);
  });
  await say();
  await say("hello", other);
  await say();
  expect(woken).toEqual(["evt_2"]);
  late.resolve();
  for (let turn = 0; turn < 5; turn += 1) await world.advance(0);
  expect(woken).toEqual(["evt_2", "evt_1", "evt_3"]);
  await reader.close();
});

test("a room that failed to read is retried after a pause or at its next message", async () => {
  const { world, wakeAll, start, say, woken } = open();
  let tries = 0;
  const reader = start(async (_room, messages) => {
    tries += 1;
    if (tries < 3) throw new Error("the disk is away");
    return wakeAll(messages);
  });
  await reader.settle();
  await say();
  expect(tries).toBe(1);
  await world.advance(1000);
  expect([tries, woken]).toEqual([2, []]);
  await say();
  expect([tries, woken]).toEqual([3, ["evt_1", "evt_2"]]);
  await reader.close();
});
