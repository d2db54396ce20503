/** A compaction whose commit is refused, because another daemon took over the agent. */
import { expect, test } from "bun:test";
import type { ActivationId, AgentId, AgentRecord, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { newCompaction } from "../../agents/index.ts";
import { createLeases } from "../../kernel/journal/leases.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { createCompact, type CompactOptions } from "./compact.ts";
import type { CompactionTurn } from "./compaction-turn.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const AGENT = `agent_${"1".repeat(26)}` as AgentId;
const ROOM = `room_${"1".repeat(26)}` as RoomId;
const ACTIVATION = `act_${"1".repeat(26)}` as ActivationId;

const open = async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash);
  const log = createFakeLog();
  const hold = (holder: string) => createLeases({ world, store, holder, house: "alone" }).acquire(AGENT);
  const lease = await hold("a");
  const never = () => Promise.reject(new Error("never asked"));
  const compact = createCompact({
    ...{ world, log, blobs, streams: createDurableStreams({ world, store, blobs }), readSlice: async () => undefined },
    ...{ callJournaled: never, journal: { load: never }, brains: { open: never } },
    ...{ records: { get: async () => ({ content: { timezone: "UTC" } }) as never }, summaries: {} as never },
    leakScan: {} as never,
  } satisfies CompactOptions);
  const asked = newCompaction({
    ...{ agent: AGENT, room: ROOM, place: 1, at: 1, keep: 5, tokens: null, state: "asked", activation: null },
  });
  const session = {
    agent: AGENT,
    room: ROOM,
    tokens: undefined,
    newestCompaction: asked,
    activeCompaction: undefined,
    checkedOffset: 0,
    quietUntil: 0,
  };
  const turn = {
    ...{ row: { id: ACTIVATION, agent: AGENT, room: ROOM }, lease, signal: new AbortController().signal },
    ...{ agent: { id: AGENT, handle: "main", content: {} } as unknown as AgentRecord, audience: "private" },
  } as unknown as CompactionTurn;
  const run = () => compact(turn, session, {} as never, { maxLength: 10, summaryModel: "fake/m", tokenLimit: 10 });
  const states = async () => (await store.select({ table: "compactions" })).map(({ state }) => state);
  return {
    run,
    takeOver: () => hold("b"),
    states,
    session,
    log,
    quietMs: () => session.quietUntil - world.clock.now(),
  };
};

test("a requested compaction without anything to summarize fails, and no automatic one follows at once", async () => {
  const { run, states, log, quietMs } = await open();
  expect(await run()).toBeUndefined();
  expect([await states(), log.lines.length, quietMs()]).toEqual([["failed"], 1, 10 * 60_000]);
});

test("a compaction under a lost lease ends the turn and writes nothing", async () => {
  const { run, takeOver, states, session, log } = await open();
  await takeOver();
  await expect(run()).rejects.toMatchObject({ code: "lease.lost" });
  expect([await states(), session.newestCompaction?.state, log.lines]).toEqual([[], "asked", []]);
});
