/**
 * Forgetting a source while its day is being logged leaves nothing of it in the log, in either
 * order.
 */
import { writeJson } from "../../../kernel/index.ts";
import { expect, test } from "bun:test";
import type { ActivationEnded, ActivationId, EventId, Label, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../../adapter/bun/world.ts";
import { BOT, byPerson, openTestBrain, PERSON, TURN } from "../../../fixtures/brain.ts";
import { createGate } from "../../../fixtures/talk.ts";
import { createForget } from "../../memory/forgetting.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createTextBlobCache } from "../../../kernel/store/blobs.ts";
import { createDailyLog } from "./daily-log.ts";
import { createTestUploads } from "../../../fixtures/uploads.ts";
import { createTraces } from "../traces/traces.ts";

const ROOM = `room_${"0".repeat(26)}` as RoomId;
const CAUSE = `evt_${"0".repeat(26)}` as EventId;
const DAY = "memory/1970-01-01.md";
const FROM_PAGE: Label = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org/page"] };

const NOTHING_DONE = {
  ...{
    reason: null,
    error: null,
    model: null,
    usage: "{}",
    frozen: null,
    frozen_blob: null,
    progress: 0,
    retries: 0,
    retry_at: 0,
    retried_by: null,
    crashes: 0,
    depth: 0,
  },
  ...{ merged_into: null, parked: null, skip: null, ready_at: 0, root: null, parent: null, inbox: null },
};

/**
 * Sets up an ended turn that is not logged yet and quotes a page, and a log reader that pauses
 * midway.
 */
const open = async (more: Partial<ActivationEnded> = {}) => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const house = await openTestBrain({ world });
  const { store, streams, blobs, brain } = house;
  const closing = new AbortController();
  const gate = createGate();
  const row = { id: TURN, agent: BOT.id, room: ROOM, trigger: "direct", cause: CAUSE, cause_offset: 1, person: PERSON };
  const times = { created_at: 0, started_at: 0, ended_at: 1, fence: 1, state: "replied" };
  await store.commit({
    writes: [{ kind: "insert", table: "activations", row: { ...NOTHING_DONE, ...row, ...times } as never }],
  });
  const body = (text: string) => ({ body: { format: "markdown", text } as const, attachments: [], mentions: [] });
  const message = { type: "message", room: ROOM, at: 1, causes: [] } as const;
  const stream = `room:${ROOM}` as const;
  await streams.append({ stream, id: CAUSE, event: { ...message, author: PERSON, ...body("read the page") } as never });
  await streams.append({
    ...{ stream, id: world.ids.derive("evt", TURN, "0") },
    labels: writeJson(FROM_PAGE),
    event: { ...message, author: BOT.id, activation: TURN, ...body("The canary sells ladders 4711.") } as never,
  });
  await streams.append({
    ...{ stream: `agent:${BOT.id}`, id: `evt_${"1".repeat(26)}` as EventId },
    event: {
      ...{ type: "activation-ended", at: 1, activation: TURN, agent: BOT.id, room: ROOM, state: "replied" },
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      ...more,
    } as never,
  });
  const people = { type: "agent", id: PERSON, house: BOT.house, content: { name: "Ada", kind: "human" } };
  const byId = new Map<string, unknown>([
    [BOT.id, BOT],
    [PERSON, people],
    [ROOM, { type: "room", id: ROOM, house: BOT.house, content: { name: "Hall", kind: "direct" } }],
    [BOT.house, { type: "house", id: BOT.house, content: { timezone: "UTC" } }],
  ]);
  const records = {
    find: async (_: string, id: string) => byId.get(id),
    get: async (_: string, id: string) => byId.get(id),
    list: async (type: string) => (type === "room" ? [byId.get(ROOM)] : [BOT, people]),
  } as never;
  const dailyLog = createDailyLog({
    ...{ world, log: createFakeLog(), store, streams, records, brains: { open: async () => brain } },
    ...{ audienceOf: async () => "private", redact: (text) => text },
    rooms: { isRemoved: async () => false } as never,
    journal: { rows: async () => [] },
    // By now the log reader has read the reply and has written nothing.
    async standingOf() {
      await gate.pass();
      return "owner";
    },
  });
  const traces = createTraces({
    ...{ world, store, blobs, streams, records, signal: closing.signal },
    ...{ texts: createTextBlobCache({ clock: world.clock, blobs }), sessions: { evict: () => {} } },
    ...{ redactions: new Map(), uploads: createTestUploads({ world, store }) },
  });
  const forget = createForget({ store, streams, records, memory: { purge: async () => {} }, traces });
  const running = dailyLog.run(closing.signal);
  return {
    ...{ world, brain, gate },
    forget: () => forget({ agent: BOT, brain, source: TURN, by: byPerson, person: PERSON }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
      await house.close();
    },
  };
};

/** Waits until the writer is blocked on something that the test holds back. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("text that the writer had read is logged first and then forgotten", async () => {
  await using house = await open();
  await house.world.advance(3000);
  await house.gate.reached;
  const forgetting = house.forget();
  await settle();
  house.gate.open();
  await forgetting;
  await settle();
  expect(await house.brain.read(DAY)).toBe("");
  expect((await house.brain.log({ limit: 9 })).map(({ kind, versions }) => [kind, versions[0]?.path])).toEqual(
    expect.arrayContaining([["erase", DAY]]),
  );
});

test("text that was forgotten before the writer read it is not logged", async () => {
  await using house = await open();
  house.gate.open();
  await house.forget();
  await house.world.advance(3000);
  await settle();
  expect((await house.brain.read(DAY)) ?? "").not.toContain("4711");
  expect((await house.brain.read(DAY)) ?? "").not.toContain("“”");
});

test("a turn that another turn answered is not logged", async () => {
  await using house = await open({ mergedInto: `act_${"0".repeat(25)}2` as ActivationId });
  house.gate.open();
  await house.world.advance(3000);
  await settle();
  expect(await house.brain.read(DAY)).toBeUndefined();
});

test("a turn that replied is logged with the question's author and the answer", async () => {
  await using house = await open();
  house.gate.open();
  await house.world.advance(3000);
  await settle();
  const text = (await house.brain.read(DAY)) ?? "";
  expect(text).toContain("Ada");
  expect(text).toContain("The canary sells ladders 4711.");
});
