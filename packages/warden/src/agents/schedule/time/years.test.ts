/**
 * Compares years of random actions on jobs with the model of fates. A failure is reported with its
 * seed and shrunk.
 */
import { expect, test } from "bun:test";
import type { CatchUp } from "@hearth/protocol";
import fc from "fast-check";
import { openScheduledHouse, type ScheduleDaemon } from "../../../fixtures/scheduled-house.ts";
import { faultsBetween, type Look } from "../../../fixtures/fates-model.ts";
import { writeDefinition, readDefinition } from "../rows.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 1, 12);
const JOB = "tea";
const MISTAKE = "now and then";

const TIMES = [{ every: "7h" }, { every: "45m" }, { cron: "30 9 * * *" }, { once: "2026-03-01T09:00" }] as const;
type Times = (typeof TIMES)[number];

type Step =
  | { readonly do: "pass" | "down" | "back" | "forward" | "stall"; readonly ms: number }
  | { readonly do: "end"; readonly state: "replied" | "failed" | "stopped" }
  | { readonly do: "add" | "times" | "save"; readonly times: Times; readonly catchUp: CatchUp; readonly until?: number }
  | { readonly do: "list" | "hand" | "pause" | "resume" | "prompt" | "cancel" | "restart" }
  | { readonly do: "mistake" | "mend" | "take-out" | "second" };

const only = <Kind extends Step["do"]>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds);
const terms = { times: fc.constantFrom(...TIMES), catchUp: fc.constantFrom<CatchUp>("once", "all", "skip") };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: only("pass"), ms: fc.integer({ min: 1, max: 3 * HOUR }) }) },
  { weight: 2, arbitrary: fc.record({ do: only("pass"), ms: fc.integer({ min: DAY, max: 40 * DAY }) }) },
  { weight: 3, arbitrary: fc.record({ do: only("stall"), ms: fc.integer({ min: HOUR, max: DAY }) }) },
  { weight: 1, arbitrary: fc.record({ do: only("down"), ms: fc.integer({ min: 1, max: 200 * DAY }) }) },
  { weight: 2, arbitrary: fc.record({ do: only("back", "forward"), ms: fc.integer({ min: 1, max: 2 * DAY }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: only("end"), state: fc.constantFrom("replied", "replied", "failed", "stopped") }),
  },
  { weight: 2, arbitrary: fc.record({ do: only("add"), ...terms }) },
  { weight: 2, arbitrary: fc.record({ do: only("times", "save"), ...terms }) },
  { weight: 3, arbitrary: fc.record({ do: only("list", "hand", "pause", "resume", "prompt", "restart") }) },
  { weight: 2, arbitrary: fc.record({ do: only("cancel", "mistake", "mend", "take-out", "second") }) },
);

/** Runs an action that may fail. */
const attempt = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    expect(error).toMatchObject({ code: expect.stringMatching(/^job\./) });
  });
};

const live = async (history: readonly Step[], nth: (index: number) => number): Promise<void> => {
  const house = await openScheduledHouse(NOON);
  const { bot, owner, store, brain } = house;
  const daemons: ScheduleDaemon[] = [await house.start()];
  const isMine = { agent: bot.id, job: JOB };
  const look = async (): Promise<Look> => {
    const [row] = await store.select({ table: "jobs", where: { agent: bot.id, name: JOB } });
    const ofAll = await store.select({ table: "job_slots", where: isMine, order: [{ column: "slot" }] });
    const slots = ofAll.filter(({ by_hand }) => by_hand === 0);
    const under = new Set(
      ofAll.flatMap(({ slot, by_hand, ended_at }) => (ended_at === null ? [`${slot} ${by_hand}`] : [])),
    );
    const isBroken = (await textNow()).includes(MISTAKE);
    return { now: house.world.clock.now(), row, slots, ofAll, under, isBroken };
  };
  const textNow = async (): Promise<string> => {
    const file = await brain.readBytes("cron/jobs.toml");
    return file === undefined ? "" : new TextDecoder().decode(file.bytes);
  };
  let saves = 0;

  const perform = async (step: Step, { schedule }: ScheduleDaemon): Promise<void> => {
    switch (step.do) {
      case "pass":
        return house.pass(step.ms);
      case "stall":
        return house.stall(step.ms);
      case "back":
        return house.setClock(-step.ms);
      case "forward":
        return house.setClock(step.ms);
      case "end":
        return house.end(step.state);
      case "add":
        return attempt(
          schedule.add(bot, { name: JOB, prompt: "Tea?", ...step.times, catchUp: step.catchUp }, owner.id),
        );
      case "times":
        return attempt(schedule.edit(bot, JOB, { ...step.times, catchUp: step.catchUp }, owner.id));
      case "prompt":
        return attempt(schedule.edit(bot, JOB, { prompt: `Tea ${(saves += 1)}?` }, owner.id));
      case "pause":
      case "resume":
        return attempt(schedule.edit(bot, JOB, { paused: step.do === "pause" }, owner.id));
      case "cancel":
        return attempt(schedule.cancel(bot, JOB, owner.id));
      case "hand":
        return attempt(schedule.fire(bot, JOB));
      case "list": {
        // The daemon may still be writing for the step before.
        await house.settle();
        const before = JSON.stringify([await look(), await store.select({ table: "events" })]);
        await schedule.list(bot);
        await attempt(schedule.slots(bot, JOB, { limit: 10 }));
        expect(JSON.stringify([await look(), await store.select({ table: "events" })])).toBe(before);
        return;
      }
      case "save": {
        const [[key, value] = []] = Object.entries(step.times);
        return save(`[jobs.${JOB}]\nprompt = "Tea?"\n${key} = "${value}"\ncatch_up = "${step.catchUp}"\n`);
      }
      case "mistake":
        return save((await textNow()).replace(/^(every|cron|once) = .*$/m, `$1 = "${MISTAKE}"`));
      case "mend":
        return save((await textNow()).replace(new RegExp(`^(every|cron|once) = "${MISTAKE}"$`, "m"), 'every = "7h"'));
      case "take-out":
        return save("");
      case "restart":
      case "down": {
        for (const daemon of daemons.splice(0)) await daemon[Symbol.asyncDispose]();
        if (step.do === "down") await house.pass(step.ms);
        daemons.push(await house.start());
        return house.pass(0);
      }
      case "second":
        if (daemons.length > 1) await daemons.shift()?.[Symbol.asyncDispose]();
        else daemons.push(await house.start());
    }
  };
  /** Saves the file by hand. It takes effect at the next look, at the latest a minute later. */
  const save = async (text: string): Promise<void> => {
    saves += 1;
    await house.save(text);
    if (saves % 2 === 0) await house.pass(MINUTE);
    else {
      await daemons[0]?.schedule.list(bot);
      // An instant that had passed before the file was read is due at once.
      await house.pass(0);
    }
  };

  let before = await look();
  for (const [index, step] of history.entries()) {
    const daemon = daemons[nth(index) % daemons.length];
    if (daemon === undefined) throw new Error("no daemon is running");
    const began = house.world.clock.now();
    await perform(step, daemon);
    // A stalled daemon runs the next action before its timers.
    if (step.do === "stall") continue;
    if (history[index - 1]?.do === "stall") await house.pass(0);
    const after = await look();
    const faults = faultsBetween(before, after, began);
    if (faults.length > 0) throw new Error(`at ${index}, ${JSON.stringify(step)}: ${faults.join("; ")}`);
    // An unreadable job keeps its terms, so all stored terms are readable.
    if (after.row !== undefined) expect<string>(writeDefinition(readDefinition(after.row))).toBe(after.row.terms);
    before = after;
    const woken = (await store.select({ table: "job_slots" })).filter(({ activation }) => activation !== null);
    expect(new Set(woken.map(({ activation }) => activation)).size).toBe(woken.length);
    expect(await house.asked()).toHaveLength(woken.length);
    for (const { lines } of daemons) expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
  }
  for (const daemon of daemons) await daemon[Symbol.asyncDispose]();
};

test("over years of random actions by any daemon, every due slot has one fate by its rule", async () => {
  const numRuns = Number(process.env["HEARTH_RUNS"] ?? 200);
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { maxLength: 30 }),
      fc.infiniteStream(fc.nat({ max: 1 })),
      async (history, whose) => {
        await live([{ do: "add", times: { every: "7h" }, catchUp: "once" }, ...history], () => whose.next().value ?? 0);
      },
    ),
    { numRuns },
  );
}, 600_000);
