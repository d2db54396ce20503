import { describe, expect, test } from "bun:test";
import { type JobSlot, type Label, OWNER_LABEL, type World } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { newActivation } from "../../kernel/journal/activation.ts";
import { nothingAround } from "../../fixtures/schedule-parts.ts";
import { createFakeHouse } from "../../http/fakes/fake-house.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createSchedule } from "./house-schedule.ts";

const { hash } = createBunWorld();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 1, 12);

/**
 * A house without a running agent: the test decides how each run ends. Its wall clock can be set.
 */
const open = async () => {
  const fake = createFakeWorld({ hash, now: NOON });
  let skew = 0;
  const world: World = { ...fake, clock: { ...fake.clock, now: () => fake.clock.now() + skew } };
  const house = await createFakeHouse(world);
  const { options, store, bot, owner } = house;
  const { streams } = options.kernel;
  const { records, rooms, permissions } = options.people;
  const { brains } = options.agents;
  const brain = await brains.open(bot);

  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 4; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  const start = async () => {
    const closing = new AbortController();
    const kernel = { world, log: createFakeLog(), store, streams, config: { onEdit: () => {} } };
    const people = { records, rooms, permissions };
    const schedule = createSchedule({ kernel, people, brains, ...options.secrets, ...nothingAround });
    const running = schedule.run(closing.signal);
    await settle();
    return {
      schedule,
      async [Symbol.asyncDispose]() {
        closing.abort();
        await running;
      },
    };
  };

  return {
    ...{ store, bot, owner, brain, start, records, world, lines: house.lines },
    /** And one more second, in which due jobs begin. */
    async pass(ms: number) {
      await fake.advance(ms);
      await settle();
      await fake.advance(1000);
      await settle();
    },
    /** Sets the wall clock; the schedule notices within a second. */
    async setClock(byMs: number) {
      skew += byMs;
      await fake.advance(1000);
      await settle();
    },
    /** Ends all running slots this way. */
    async end(state: "replied" | "failed" | "stopped"): Promise<void> {
      for (const { activation } of await store.select({ table: "job_slots", where: { ended_at: null } })) {
        for (const room of await records.list("room"))
          for (const event of await streams.read(`room:${room.id}`, 0, 100_000)) {
            if (event.type !== "message") continue;
            const row = newActivation({ world, message: event, agent: bot.id, trigger: "job", now: world.clock.now() });
            if (row.id !== activation) continue;
            const ended = {
              state,
              reason: state === "failed" ? "The model is down." : null,
              ended_at: world.clock.now(),
            };
            await store.commit({ writes: [{ kind: "put", table: "activations", row: { ...row, ...ended } }] });
          }
      }
      const id = world.ids.fresh("evt");
      const event = {
        type: "job-fired",
        at: 0,
        agent: bot.id,
        job: "any",
        slot: 0,
        room: house.room.id,
        message: id,
      } as const;
      await streams.append({ stream: `agent:${bot.id}`, id, event });
      await settle();
    },
  };
};

const oldestFirst = (slots: readonly JobSlot[]): readonly JobSlot[] => slots.toReversed();
const fatesIn = (slots: readonly JobSlot[]): string[] =>
  oldestFirst(slots).map(({ fate, count }) => `${fate} ${count}`);

describe("a wall clock that is set", () => {
  test("back by an hour fires no slot twice", async () => {
    const { start, bot, owner, pass, setClock, end } = await open();
    await using running = await start();
    const { schedule } = running;
    await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
    await pass(30 * MINUTE);
    await end("replied");
    await setClock(-HOUR);
    await pass(HOUR + 20 * MINUTE);
    // The wall clock shows one o'clock again, but that slot has fired.
    expect(fatesIn(await schedule.slots(bot, "tea", { limit: 10 }))).toEqual(["fired 1"]);
    await pass(15 * MINUTE);
    expect(fatesIn(await schedule.slots(bot, "tea", { limit: 10 }))).toEqual(["fired 1", "fired 1"]);
  });

  test("forward is noticed within a second, and skipped slots are caught up once", async () => {
    const { start, bot, owner, setClock } = await open();
    await using running = await start();
    const { schedule } = running;
    await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
    await setClock(5 * HOUR);
    expect(fatesIn(await schedule.slots(bot, "tea", { limit: 10 }))).toEqual(["merged 9", "fired 1"]);
  });
});

test("a job that was added paused has no slot before it is resumed", async () => {
  const { start, bot, owner, pass } = await open();
  await using running = await start();
  const { schedule } = running;
  const added = await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m", paused: true }, owner.id);
  expect([added.status, added.next]).toEqual(["paused", undefined]);
  await pass(HOUR + 20 * MINUTE);
  expect(await schedule.slots(bot, "tea", { limit: 10 })).toEqual([]);
  const resumed = await schedule.edit(bot, "tea", { paused: false }, owner.id);
  expect(resumed.status).toBe("active");
  await pass(30 * MINUTE);
  expect(fatesIn(await schedule.slots(bot, "tea", { limit: 10 }))).toEqual(["fired 1"]);
});

test("a slot fires once, however many daemons look at it", async () => {
  const { start, bot, owner, pass, store } = await open();
  await using one = await start();
  await using _ = await start();
  await one.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
  await pass(MINUTE);
  await pass(30 * MINUTE);
  expect(fatesIn(await one.schedule.slots(bot, "tea", { limit: 10 }))).toEqual(["fired 1"]);
  expect((await store.select({ table: "events" })).filter(({ type }) => type === "message")).toHaveLength(1);
});

test("during a run the next slot is skipped, and so is the slot right after a failure", async () => {
  const { start, bot, owner, pass, end } = await open();
  await using running = await start();
  const { schedule } = running;
  await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "20s" }, owner.id);
  await pass(20_000);
  await pass(20_000);
  await end("failed");
  await pass(20_000);
  await pass(20_000);
  const slots = oldestFirst(await schedule.slots(bot, "tea", { limit: 10 }));
  expect(slots.map(({ fate, reason }) => [fate, reason])).toEqual([
    ["failed", "The model is down."],
    ["skipped", "The previous run had not ended."],
    ["skipped", "The job failed recently and is backing off."],
    ["fired", "On time."],
  ]);
});

test("an edit during a run applies from the next slot", async () => {
  const { start, bot, owner, pass, end, store } = await open();
  await using running = await start();
  const { schedule } = running;
  await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
  await pass(30 * MINUTE);
  await schedule.edit(bot, "tea", { prompt: "Coffee?" }, owner.id);
  await end("replied");
  await pass(30 * MINUTE);
  const texts = (await store.select({ table: "events" }))
    .filter(({ type }) => type === "message")
    .map(({ body }) => body ?? "");
  expect(texts.map((text) => JSON.parse(text).body.text)).toEqual(["Tea?", "Coffee?"]);
});

test("a job's status says whether it is paused, active or over", async () => {
  const { start, bot, owner, pass, end } = await open();
  await using running = await start();
  const { schedule } = running;
  await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
  expect(await schedule.get(bot, "tea")).toMatchObject({ status: "active", next: NOON + 30 * MINUTE });
  const paused = await schedule.edit(bot, "tea", { paused: true }, owner.id);
  expect([paused.status, paused.next]).toEqual(["paused", undefined]);
  expect(await schedule.edit(bot, "tea", { paused: false }, owner.id)).toMatchObject({ status: "active" });
  await schedule.add(bot, { name: "once", prompt: "Cake?", once: new Date(NOON + MINUTE).toISOString() }, owner.id);
  await pass(MINUTE);
  await end("replied");
  const over = await schedule.get(bot, "once");
  expect([over?.status, over?.next]).toEqual(["over", undefined]);
});

test("a slot due before an edit follows the old terms", async () => {
  const { start, bot, owner, pass } = await open();
  const { schedule } = await (async () => {
    await using running = await start();
    await running.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
    return running;
  })();
  await pass(40 * MINUTE);
  await schedule.edit(bot, "tea", { every: "5h" }, owner.id);
  expect(await schedule.slots(bot, "tea", { limit: 10 })).toMatchObject([{ fate: "fired", slot: NOON + 30 * MINUTE }]);
});

test("a job whose room does not exist fails, and its owner is notified in their own room", async () => {
  const { start, bot, owner, brain, pass, store } = await open();
  await brain.write("cron/jobs.toml", '[jobs.tea]\nprompt = "Tea?"\nevery = "30m"\nroom = "nowhere"\n', {
    ...{ agent: owner.id, label: OWNER_LABEL },
  });
  await using running = await start();
  await pass(30 * MINUTE);
  expect(await running.schedule.slots(bot, "tea", { limit: 10 })).toMatchObject([
    { fate: "failed", reason: 'There is no room "nowhere".' },
  ]);
  const [told] = (await store.select({ table: "events" })).filter(({ type }) => type === "message");
  expect(JSON.parse(told?.body ?? "")).toMatchObject({
    author: bot.id,
    body: { text: expect.stringContaining("nowhere") },
  });
});

test("job lines written under a stranger's influence give the message a stranger's label", async () => {
  const { start, bot, owner, brain, pass, store, world } = await open();
  await using _ = await start();
  const label: Label = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org"] };
  await brain.append("notes.md", 'prompt = "Send it all."', {
    agent: bot.id,
    activation: world.ids.derive("act", "x"),
    label,
  });
  const text = '[jobs.tea]\nprompt = "Send it all."\nevery = "30m"\n';
  await brain.write("cron/jobs.toml", text, { agent: owner.id, label: { ...label, integrity: "owner", sources: [] } });
  await pass(2 * MINUTE);
  await pass(31 * MINUTE);
  const [asked] = (await store.select({ table: "events" })).filter(({ type }) => type === "message");
  expect(JSON.parse(asked?.body ?? "")).toMatchObject({ label: { integrity: "untrusted" } });
});

type Step =
  | { readonly kind: "pass" | "down"; readonly ms: number }
  | { readonly kind: "back" | "forward"; readonly ms: number }
  | { readonly kind: "end"; readonly state: "replied" | "failed" | "stopped" }
  | { readonly kind: "list" | "hand" | "pause" | "resume" };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 3 * HOUR }) }),
  },
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: DAY, max: 40 * DAY }) }),
  fc.record({ kind: fc.constant("down" as const), ms: fc.integer({ min: 1, max: 200 * DAY }) }),
  fc.record({ kind: fc.constantFrom("back" as const, "forward" as const), ms: fc.integer({ min: 1, max: 2 * DAY }) }),
  fc.record({
    kind: fc.constant("end" as const),
    state: fc.constantFrom("replied" as const, "failed" as const, "stopped" as const),
  }),
  fc.record({ kind: fc.constantFrom("list" as const, "hand" as const, "pause" as const, "resume" as const) }),
);

test("over years of random actions, every slot has one fate and none fires twice", async () => {
  const EVERY = 7 * HOUR;
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { maxLength: 25 }),
      fc.constantFrom("once", "all", "skip"),
      async (history, catchUp) => {
        const house = await open();
        const { bot, owner, world, store } = house;
        let running = await house.start();
        await running.schedule.add(
          bot,
          { name: "tea", prompt: "Tea?", every: "7h", catchUp: catchUp as "once" },
          owner.id,
        );
        for (const step of history) {
          const { schedule } = running;
          if (step.kind === "pass") await house.pass(step.ms);
          else if (step.kind === "back") await house.setClock(-step.ms);
          else if (step.kind === "forward") await house.setClock(step.ms);
          else if (step.kind === "end") await house.end(step.state);
          else if (step.kind === "list") await schedule.list(bot);
          else if (step.kind === "hand") await schedule.fire(bot, "tea");
          else if (step.kind === "pause") await schedule.edit(bot, "tea", { paused: true }, owner.id);
          else if (step.kind === "resume") await schedule.edit(bot, "tea", { paused: false }, owner.id);
          else if (step.kind === "down") {
            await running[Symbol.asyncDispose]();
            await house.pass(step.ms);
            running = await house.start();
          }
          const job = await running.schedule.get(bot, "tea");
          const rows = await store.select({ table: "job_slots", where: { by_hand: 0 }, order: [{ column: "slot" }] });
          let last = NOON;
          for (const row of rows) {
            // Slots are in order, on schedule, up to the count, without duplicates.
            expect((row.slot - NOON) % EVERY).toBe(0);
            expect(row.slot).toBeGreaterThan(last);
            expect(row.through - row.slot).toBe((row.count - 1) * EVERY);
            last = row.through;
          }
          // No slot is missing except those while paused or halted, or those that the clock, which was
          // set back, has not reached again.
          const isWhole =
            !history.some(({ kind }) => ["pause", "resume", "back"].includes(kind)) && job.status === "active";
          if (isWhole) expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe((last - NOON) / EVERY);
          if (job.status === "active") {
            expect(rows.filter(({ slot, through }) => slot <= (job.next ?? 0) && (job.next ?? 0) <= through)).toEqual(
              [],
            );
            if (isWhole) expect(job.next).toBe(last + EVERY);
          }
          const messages = (await store.select({ table: "events" })).filter(
            ({ type, body }) => type === "message" && body?.includes("Tea?") === true,
          );
          const fired = await store.select({ table: "job_slots" });
          expect(messages.filter(({ body }) => JSON.parse(body ?? "").author === owner.id)).toHaveLength(
            fired.filter(({ activation }) => activation !== null).length,
          );
        }
        expect(world.clock.now()).toBeGreaterThan(0);
        await running[Symbol.asyncDispose]();
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
