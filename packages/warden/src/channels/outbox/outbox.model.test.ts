/**
 * Tests the outbox against a model: random replies, failures, and crashes at any commit or send,
 * with the invariants that must hold.
 */
import { expect, test } from "bun:test";
import type { AgentId, Attachment, EventId, HouseId, RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { Channel, Outbound, SendResult } from "../channel.ts";
import { createCrashingStore } from "../../fixtures/crashing-store.ts";
import { createStubChannels, createStubPlatform, problem } from "../../fixtures/stub-channel.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createNotices } from "../../kernel/outbox/notices.ts";
import { createOutbox } from "./house-outbox.ts";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { noSpeeches } from "../../fixtures/no-speeches.ts";
import { passAll } from "../../fixtures/pass-all.ts";

const { hash } = createBunWorld();
const ROOM = `room_${"0".repeat(26)}` as RoomId;
const PERSON = `agent_${"0".repeat(26)}` as AgentId;
const HOUSE = `house_${"0".repeat(26)}` as HouseId;
const STREAM = `room:${ROOM}` as const;

/**
 * The platform's reaction to a send; `dies` means that the process ends before or after the send
 * arrived.
 */
const Outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant("sent" as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("later", "later-long", "refused", "lost", "lost-yet-there", "dies", "dies-after"),
  },
);
type Outcome = "sent" | "later" | "later-long" | "refused" | "lost" | "lost-yet-there" | "dies" | "dies-after";

const Step = fc.oneof(
  fc.record({
    kind: fc.constant("reply" as const),
    conversation: fc.nat(2),
    pieces: fc.integer({ min: 1, max: 3 }),
    files: fc.nat(2),
  }),
  fc.record({
    kind: fc.constant("crash" as const),
    at: fc.integer({ min: 1, max: 6 }),
    side: fc.constantFrom("before" as const, "after" as const),
  }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
);

type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

const Run = fc.record({
  takesKeys: fc.boolean(),
  steps: fc.array(Step, { minLength: 1, maxLength: 14 }),
  outcomes: fc.array(Outcome, { maxLength: 30 }),
});

const play = async ({
  takesKeys,
  steps,
  outcomes: given,
}: {
  takesKeys: boolean;
  steps: readonly Step[];
  outcomes: readonly Outcome[];
}) => {
  const world = createFakeWorld({ hash });
  const disk = createMemoryStore();
  const platform = createStubPlatform({ takesKeys, files: { maxBytes: 100 } });
  const uploads = createTestUploads({ world, store: disk });
  const outcomes = [...given];
  const wrongly: string[] = [];
  const committed: { event: EventId; conversation: string; pieces: number }[] = [];
  /** Keys of the messages and files that arrived, in order. */
  const arrived: { readonly key: string; readonly conversation: string }[] = [];
  let process:
    | { life: ReturnType<typeof createCrashingStore>; outbox: ReturnType<typeof createOutbox>; over: AbortController }
    | undefined;

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) await world.advance(0);
  };

  const boot = async (crash?: { at: number; side: "before" | "after" }): Promise<void> => {
    const life = createCrashingStore(disk, crash);
    const over = new AbortController();
    /** Sends a message or a file with the next outcome. */
    const sendWithFate = async (
      { key, conversation }: Pick<Outbound, "key" | "conversation">,
      send: () => Promise<SendResult>,
    ): Promise<SendResult> => {
      const [row] = await disk.select({ table: "outbox", where: { id: key } });
      if (row?.state !== "sending") wrongly.push(`${key} was sent while it was ${row?.state ?? "not there"}`);
      const fate = outcomes.shift() ?? "sent";
      const arrive = (): Promise<SendResult> => {
        if (!takesKeys || countOf(arrived, key) === 0) arrived.push({ key, conversation });
        return send();
      };
      switch (fate) {
        case "sent":
          return arrive();
        case "later":
          return { kind: "later", error: problem() };
        case "later-long":
          return { kind: "later", error: problem(), retryAfterMs: 40_000 };
        case "refused":
          // The platform accepts a message again that it already has.
          if (takesKeys && countOf(arrived, key) > 0) return arrive();
          return { kind: "refused", error: problem("channel.refused") };
        case "lost":
          return { kind: "unknown", error: problem() };
        case "lost-yet-there":
          await arrive();
          return { kind: "unknown", error: problem() };
        case "dies":
          life.die();
          return new Promise(() => {});
        case "dies-after":
          life.die();
          await arrive();
          return new Promise(() => {});
      }
    };
    const { send, sendFile } = platform.channel;
    const channel: Channel = {
      ...platform.channel,
      send: (message, signal) => sendWithFate(message, () => send(message, signal)),
      sendFile: (file, signal) =>
        sendWithFate(file, () => sendFile?.(file, signal) ?? send({ ...file, text: "" }, signal)),
    };
    const channels = createStubChannels({ tele: { channel } }, world);
    const notices = createNotices({ world, store: life.store });
    const { store } = life;
    const outbox = createOutbox({
      world,
      log: createFakeLog(),
      store,
      channels,
      notices,
      pass: passAll,
      uploads,
      speeches: noSpeeches,
    });
    process = { life, outbox, over };
    void outbox.run(over.signal);
    await settle();
  };

  /** Stores files as attachments of the reply. */
  const attach = async (event: EventId, count: number): Promise<readonly Attachment[]> => {
    for (let index = 0; index < count; index += 1) {
      const bytes = new TextEncoder().encode(`${event} ${index}`);
      const { id } = await uploads.begin(
        { agent: PERSON, house: HOUSE },
        { name: `${index}`, sizeBytes: bytes.length },
      );
      await uploads.append(PERSON, id, { offset: 0, bytes });
      await disk.commit(await uploads.planMessage({ author: PERSON, room: ROOM, event }, [id]));
    }
    return uploads.attachmentsOf(event);
  };

  const alive = async (crash?: { at: number; side: "before" | "after" }) => {
    if (process === undefined || process.life.isDead() || crash !== undefined) {
      process?.life.die();
      process?.over.abort();
      await boot(crash);
    }
    if (process === undefined) throw new Error("it has just been booted");
    return process;
  };

  for (const [index, step] of steps.entries()) {
    switch (step.kind) {
      case "reply": {
        const { outbox, life } = await alive();
        const conversation = `c${step.conversation}`;
        const cause = world.ids.derive("evt", "in", String(index));
        const event = world.ids.derive("evt", "reply", String(index));
        const row = {
          channel: "tele",
          external: `u${index}`,
          at: 0,
          conversation,
          message: `p${index}`,
          sender: "s",
          room: ROOM,
          received_at: 0,
        };
        await disk.commit({
          writes: [{ kind: "insert", table: "inbound", row: { ...row, event: cause, fate: "accepted" } }],
        });
        const text = Array.from({ length: step.pieces }, (_, piece) => `${index}.${piece}`).join("\n");
        const attachments = await attach(event, step.files);
        const finish = async (): Promise<void> => {
          const writes = await outbox.plan({ id: event, room: ROOM, body: { text }, causes: [cause], attachments });
          const body = { id: event, type: "message", at: 0, body: "{}", blob: null, labels: null };
          await life.store.commit({ writes: [...writes, { kind: "append", stream: STREAM, event: body }] });
          outbox.poke();
        };
        void finish();
        await settle();
        const [there] = await disk.select({ table: "events", where: { stream: STREAM, id: event } });
        if (there !== undefined) committed.push({ event, conversation, pieces: step.pieces + step.files });
        break;
      }
      case "crash":
        await alive({ at: step.at, side: step.side });
        break;
      case "wait":
        await alive();
        await world.advance(step.ms);
        await settle();
        break;
    }
  }
  // From here on nothing fails, and time passes.
  outcomes.length = 0;
  process?.life.die();
  await boot();
  for (let minutes = 0; minutes < 15; minutes += 1) {
    await world.advance(60_000);
    await settle();
  }
  return { arrived, committed, wrongly, rows: await disk.select({ table: "outbox" }) };
};

const countOf = (messages: readonly { readonly key: string }[], key: string): number =>
  messages.filter((message) => message.key === key).length;

test("after any failure or crash, nothing is lost, doubled, reordered or sent before it is stored", async () => {
  await fc.assert(
    fc.asyncProperty(Run, async (run) => {
      const { arrived: everything, committed, wrongly, rows } = await play(run);
      expect(wrongly).toEqual([]);
      // Every piece and file of every committed reply has its row, and every row has ended.
      expect(rows.length).toBe(committed.reduce((sum, { pieces }) => sum + pieces, 0));
      for (const row of rows) {
        const times = countOf(everything, row.id);
        expect([row.body, row.state, times, timesOf(row.state).includes(times)]).toEqual([
          row.body,
          row.state,
          times,
          true,
        ]);
        // At most one copy: without keys, a message that may have arrived is not sent again.
        expect([row.body, times <= 1]).toEqual([row.body, true]);
        // With keys no outcome is unknown.
        if (run.takesKeys) expect([row.body, row.state === "unknown"]).toEqual([row.body, false]);
      }
      // Messages arrived in the order of the room.
      for (const conversation of ["c0", "c1", "c2"]) {
        const order = committed
          .filter((reply) => reply.conversation === conversation)
          .flatMap(({ event }) =>
            rows
              .filter((row) => row.event === event)
              .sort((a, b) => a.place - b.place)
              .map(({ id }) => id),
          );
        const arrived = everything.filter((message) => message.conversation === conversation).map(({ key }) => key);
        expect(arrived).toEqual(order.filter((key) => arrived.includes(key)));
      }
    }),
    { numRuns: 300 },
  );
}, 180_000);

/** How many copies may exist of a message whose row ended in this state. */
const timesOf = (state: string): readonly number[] =>
  state === "sent" ? [1] : state === "refused" ? [0] : state === "unknown" ? [0, 1] : [];
