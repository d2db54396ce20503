/** Known faults of other schedulers, one test each: calendar faults first, then histories. */
import { describe, expect, test } from "bun:test";
import type { JobSlot } from "@hearth/protocol";
import { openScheduledHouse, type ScheduleDaemon, type ScheduledHouse } from "../../fixtures/scheduled-house.ts";
import { createSlotsOf } from "./time/slots.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 1, 12);

describe("calendar", () => {
  const between = (cron: string, zone: string, from: string, to: string): readonly string[] => {
    const slots = createSlotsOf()({ kind: "cron", cron, zone });
    const found: string[] = [];
    for (
      let slot = slots.next(Date.parse(from) - 1);
      slot !== undefined && slot < Date.parse(to);
      slot = slots.next(slot)
    )
      found.push(new Date(slot).toISOString().slice(0, 16));
    return found;
  };
  const NEW_YORK = "America/New_York";

  test("gap: a time that the clock skips fires once, at the first instant after the gap", () => {
    expect(between("30 2 * * *", NEW_YORK, "2026-03-08T05:00Z", "2026-03-09T04:00Z")).toEqual(["2026-03-08T07:30"]);
  });

  test("overlap: a time that occurs twice fires the first time", () => {
    expect(between("30 1 * * *", NEW_YORK, "2026-11-01T04:00Z", "2026-11-02T05:00Z")).toEqual(["2026-11-01T05:30"]);
  });

  test("interval: every quarter of an hour fires a hundred times on a day of twenty-five hours", () => {
    const quarters = between("*/15 * * * *", NEW_YORK, "2026-11-01T04:00Z", "2026-11-02T05:00Z");
    expect(quarters).toHaveLength(100);
    expect(new Set(quarters).size).toBe(100);
  });

  test("leap day: it fires in leap years", () => {
    expect(between("0 0 29 2 *", "UTC", "2026-01-01T00:00Z", "2033-01-01T00:00Z")).toEqual([
      "2028-02-29T00:00",
      "2032-02-29T00:00",
    ]);
  });
});

const fatesOf = (slots: readonly JobSlot[]): readonly string[] =>
  slots.toReversed().map(({ fate, count }) => `${fate} ${count}`);
const ALL = { limit: 100 };

describe("histories", () => {
  test("restart-mid-day: after a job fires at six and the daemon restarts in the afternoon, it is due the next morning", async () => {
    const house = await openScheduledHouse(Date.UTC(2026, 0, 1, 5));
    const { bot, owner } = house;
    {
      await using running = await house.start();
      await running.schedule.add(bot, { name: "early", prompt: "Early", cron: "0 6 * * *" }, owner.id);
      await house.pass(HOUR);
      await house.end("replied");
    }
    await house.pass(11 * HOUR + 20 * MINUTE);
    await using running = await house.start();
    await house.pass(MINUTE);
    expect((await running.schedule.get(bot, "early")).next).toBe(Date.UTC(2026, 0, 2, 6));
    expect(fatesOf(await running.schedule.slots(bot, "early", ALL))).toEqual(["fired 1"]);
  });

  test("list-does-not-advance: listing jobs consumes no slot", async () => {
    const house = await openScheduledHouse(Date.UTC(2026, 0, 1, 0));
    const { bot, owner } = house;
    await using running = await house.start();
    const { schedule } = running;
    await schedule.add(bot, { name: "night", prompt: "Night", cron: "0 1 * * *" }, owner.id);
    house.stall(2 * HOUR);
    const { jobs } = await schedule.list(bot);
    expect(jobs).toMatchObject([{ next: Date.UTC(2026, 0, 1, 1) }]);
    expect(await schedule.slots(bot, "night", ALL)).toEqual([]);
    await house.pass(0);
    expect(await schedule.slots(bot, "night", ALL)).toMatchObject([{ fate: "fired", slot: Date.UTC(2026, 0, 1, 1) }]);
  });

  for (const [catchUp, fates] of [
    ["once", ["merged 2", "fired 1"]],
    ["all", ["fired 1", "fired 1", "fired 1"]],
    ["skip", ["missed 3"]],
  ] as const)
    test(`down-over-slot: with the rule "${catchUp}" three missed slots are ${fates.join(", ")}`, async () => {
      const house = await openScheduledHouse(NOON);
      const { bot, owner } = house;
      {
        await using running = await house.start();
        await running.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h", catchUp }, owner.id);
      }
      await house.pass(3 * HOUR + 30 * MINUTE);
      await using running = await house.start();
      await house.pass(0);
      expect(fatesOf(await running.schedule.slots(bot, "tea", ALL))).toEqual([...fates]);
    });

  test("down-a-month: thirty days are caught up once", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner } = house;
    {
      await using running = await house.start();
      await running.schedule.add(bot, { name: "tea", prompt: "Tea?", cron: "0 9 * * *" }, owner.id);
    }
    await house.pass(30 * DAY);
    await using running = await house.start();
    await house.pass(0);
    expect(fatesOf(await running.schedule.slots(bot, "tea", ALL))).toEqual(["merged 29", "fired 1"]);
    expect(await house.asked()).toEqual(["Tea?"]);
  });

  test("clock-back-1h: a fired slot does not fire again when its time repeats, even after an edit", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner } = house;
    await using running = await house.start();
    const { schedule } = running;
    await schedule.add(bot, { name: "tea", prompt: "Tea?", cron: "30 * * * *" }, owner.id);
    await house.pass(30 * MINUTE);
    await house.end("replied");
    await house.setClock(-HOUR);
    await schedule.edit(bot, "tea", { cron: "*/30 * * * *" }, owner.id);
    expect(await schedule.get(bot, "tea")).toMatchObject({ next: NOON });
    await house.pass(30 * MINUTE);
    await house.end("replied");
    await house.pass(30 * MINUTE);
    const slots = await schedule.slots(bot, "tea", ALL);
    expect(slots.map(({ slot }) => slot)).toEqual([NOON + 30 * MINUTE, NOON]);
    expect(await schedule.get(bot, "tea")).toMatchObject({ next: NOON + HOUR });
    await house.pass(30 * MINUTE);
    expect(fatesOf(await schedule.slots(bot, "tea", ALL))).toEqual(["fired 1", "fired 1", "fired 1"]);
    expect(running.lines.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  test("two-schedulers: one of two schedulers fires a slot, even if they do not notify each other", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner } = house;
    await using one = await house.start();
    await one.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h" }, owner.id);
    await using _ = await house.start("apart");
    await house.pass(HOUR);
    expect(fatesOf(await one.schedule.slots(bot, "tea", ALL))).toEqual(["fired 1"]);
    expect(await house.asked()).toEqual(["Tea?"]);
  });

  test("edit-during-run: an edit during a run applies from the next slot", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner } = house;
    await using running = await house.start();
    const { schedule } = running;
    await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h" }, owner.id);
    await house.pass(HOUR);
    await schedule.edit(bot, "tea", { prompt: "Coffee?", every: "2h" }, owner.id);
    await house.end("replied");
    await house.pass(2 * HOUR);
    expect(await house.asked()).toEqual(["Tea?", "Coffee?"]);
  });
});

describe("a due slot that has not fired", () => {
  test("gets its fate before its job is cancelled", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner } = house;
    await using running = await house.start();
    await running.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h" }, owner.id);
    house.stall(HOUR);
    await running.schedule.cancel(bot, "tea", owner.id);
    expect(fatesOf(await running.schedule.slots(bot, "tea", ALL))).toEqual(["fired 1"]);
  });

  test("gets its fate before its job halts", async () => {
    const house = await openScheduledHouse(NOON);
    const { bot, owner, store } = house;
    await using running = await house.start();
    const { schedule } = running;
    await schedule.add(bot, { name: "tea", prompt: "Tea?", every: "2h" }, owner.id);
    for (let times = 0; times < 4; times += 1) {
      await house.pass(2 * HOUR);
      await house.end("failed");
    }
    await house.pass(2 * HOUR);
    house.stall(2 * HOUR);
    await house.end("failed");
    expect(await schedule.get(bot, "tea")).toMatchObject({ status: "halted", failures: 5 });
    const slots = await store.select({ table: "job_slots", order: [{ column: "slot" }] });
    expect(slots.at(-1)).toMatchObject({ slot: NOON + 12 * HOUR, fate: "skipped" });
  });
});

describe.each(["while the daemon runs", "while no daemon runs"])("a clock set ahead and then back %s", (when) => {
  /** Sets the clock ahead with a daemon, lets the slots due there end, and sets it back. */
  const openAfterward = async (
    now: number,
    times: { readonly every: string } | { readonly cron: string },
    ms: number,
  ) => {
    const house = await openScheduledHouse(now);
    const { bot, owner } = house;
    const first = await house.start();
    await first.schedule.add(bot, { name: "tea", prompt: "Tea?", ...times }, owner.id);
    await house.setClock(ms);
    await house.end("replied");
    if (when === "while the daemon runs") {
      await house.setClock(-ms);
      return { house, running: first };
    }
    await first[Symbol.asyncDispose]();
    await house.setClock(-ms);
    const running = await house.start();
    await house.pass(0);
    return { house, running };
  };
  const slotsOf = async ({ schedule }: ScheduleDaemon, { bot }: ScheduledHouse): Promise<readonly string[]> =>
    (await schedule.slots(bot, "tea", ALL))
      .toReversed()
      .map(({ slot, fate, count }) => `${new Date(slot).toISOString().slice(5, 16)} ${fate} ${count}`);

  test("two hours does not silence a job with an interval of ten seconds", async () => {
    const { house, running } = await openAfterward(NOON, { every: "10s" }, 2 * HOUR);
    await using daemon = running;
    const before = await house.asked();
    expect(before).toHaveLength(1);
    await house.pass(20_000);
    expect((await house.asked()).length).toBeGreaterThan(before.length);
    expect((await daemon.schedule.get(house.bot, "tea")).next).toBeLessThanOrEqual(house.world.clock.now() + 10_000);
    expect(daemon.lines.filter((line) => line.includes("set back") && line.includes('"jobs":1'))).toHaveLength(1);
  });

  test("runs each slot of an interval once: those passed over at their time, and none that ran", async () => {
    const { house, running } = await openAfterward(NOON, { every: "30m" }, 2 * HOUR);
    await using daemon = running;
    expect(await slotsOf(daemon, house)).toEqual(["01-01T14:00 fired 1"]);
    for (let times = 0; times < 5; times += 1) {
      await house.pass(30 * MINUTE);
      await house.end("replied");
    }
    expect(await slotsOf(daemon, house)).toEqual(
      ["12:30", "13:00", "13:30", "14:00", "14:30"].map((time) => `01-01T${time} fired 1`),
    );
    expect(await house.asked()).toHaveLength(5);
  });

  test("catches up around a slot that ran, if the machine sleeps over it", async () => {
    const { house, running } = await openAfterward(NOON, { every: "30m" }, 2 * HOUR);
    await using daemon = running;
    house.stall(4 * HOUR);
    await house.pass(0);
    expect(await slotsOf(daemon, house)).toEqual([
      "01-01T12:30 merged 3",
      "01-01T14:00 fired 1",
      "01-01T14:30 merged 3",
      "01-01T16:00 fired 1",
    ]);
  });

  test("an hour over nine o'clock does not run the daily job of nine o'clock twice", async () => {
    const { house, running } = await openAfterward(NOON - 4 * HOUR, { cron: "0 9 * * *" }, 2 * HOUR);
    await using daemon = running;
    expect((await daemon.schedule.get(house.bot, "tea")).next).toBe(NOON + DAY - 3 * HOUR);
    await house.pass(DAY);
    expect(await house.asked()).toHaveLength(1);
    await house.pass(HOUR);
    expect(await slotsOf(daemon, house)).toEqual(["01-01T09:00 fired 1", "01-02T09:00 fired 1"]);
  });

  test("ten days does not silence a daily job", async () => {
    const { house, running } = await openAfterward(NOON, { cron: "0 9 * * *" }, 10 * DAY);
    await using daemon = running;
    expect(await slotsOf(daemon, house)).toEqual(["01-11T09:00 fired 1"]);
    await house.pass(21 * HOUR);
    expect(await slotsOf(daemon, house)).toEqual(["01-02T09:00 fired 1", "01-11T09:00 fired 1"]);
  });
});

test("a clock that is set back within the usual corrections changes no slot", async () => {
  const house = await openScheduledHouse(NOON);
  const { bot, owner } = house;
  await using running = await house.start();
  await running.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "30m" }, owner.id);
  await house.pass(30 * MINUTE);
  await house.pass(30 * MINUTE);
  const before = await running.schedule.slots(bot, "tea", ALL);
  await house.setClock(-4000);
  await running.schedule.edit(bot, "tea", { paused: true }, owner.id);
  await running.schedule.edit(bot, "tea", { paused: false }, owner.id);
  expect(await running.schedule.slots(bot, "tea", ALL)).toEqual(before);
  expect(await running.schedule.get(bot, "tea")).toMatchObject({ next: NOON + 90 * MINUTE });
  expect(running.lines.filter((line) => line.includes("the wall clock was set"))).toEqual([]);
});

test("a clock that is set back is noticed by both daemons, so that either one can fire the earlier slot", async () => {
  const house = await openScheduledHouse(NOON);
  const { bot, owner } = house;
  const first = await house.start();
  await using second = await house.start();
  await first.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "45m" }, owner.id);
  // The slot at 12:45 is skipped, because the run that a person started is open.
  await first.schedule.fire(bot, "tea");
  house.stall(HOUR);
  await house.pass(0);
  await house.end("replied");
  await house.setClock(-30 * MINUTE);
  await first[Symbol.asyncDispose]();
  await house.pass(10 * MINUTE);
  expect(await second.schedule.get(bot, "tea")).toMatchObject({ next: NOON + 45 * MINUTE });
  await house.pass(5 * MINUTE);
  expect((await second.schedule.slots(bot, "tea", ALL)).map(({ slot, firedAt }) => [slot, firedAt])).toContainEqual([
    NOON + 45 * MINUTE,
    NOON + 45 * MINUTE,
  ]);
});

test("a clock that is set ahead and back two hours is logged each time, with the effect on jobs", async () => {
  const house = await openScheduledHouse(NOON);
  await using running = await house.start();
  await running.schedule.add(house.bot, { name: "tea", prompt: "Tea?", every: "1m" }, house.owner.id);
  await house.setClock(2 * HOUR);
  await house.setClock(-2 * HOUR);
  const told = running.lines.filter((line) => line.includes("the wall clock was set"));
  expect(told).toHaveLength(2);
  expect(told[0]).toContain("caught up");
  expect(told[1]).toContain("planned again from the present time");
});

test.each([
  ["an hour before, by the usual rule", HOUR, "", "fired"],
  ["an hour before, by the rule to skip", HOUR, 'catch_up = "skip"\n', "missed"],
  ["two days before", 48 * HOUR, "", "missed"],
])("a single instant that passed %s its job was read follows the job's catch-up rule", async (_, late, rule, fate) => {
  const house = await openScheduledHouse(NOON);
  const { bot } = house;
  await house.save(`[jobs.tea]\nprompt = "Tea?"\nonce = "2026-01-01T12:10"\n${rule}`);
  await house.pass(late + 10 * MINUTE);
  await using running = await house.start();
  await house.pass(MINUTE);
  expect(await running.schedule.get(bot, "tea")).toMatchObject({
    status: "over",
    last: { fate, slot: NOON + 10 * MINUTE },
  });
  expect(await house.asked()).toEqual(fate === "fired" ? ["Tea?"] : []);
});

test("a slot fired by a daemon that stopped is ended by the other daemon, and does not block the next slot", async () => {
  const house = await openScheduledHouse(NOON);
  const { bot, owner } = house;
  await using other = await house.start("apart");
  {
    await using one = await house.start();
    await one.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h" }, owner.id);
    await one.schedule.fire(bot, "tea");
  }
  await other.schedule.list(bot);
  await house.end("replied");
  await house.pass(HOUR - 2 * MINUTE);
  await house.pass(2 * MINUTE);
  expect(fatesOf(await other.schedule.slots(bot, "tea", ALL))).toEqual(["fired 1", "fired 1"]);
});

test("a message sent right before a crash has the full time to wake an agent after the restart", async () => {
  const house = await openScheduledHouse(NOON);
  const { bot, owner } = house;
  {
    await using one = await house.start();
    await one.schedule.add(bot, { name: "tea", prompt: "Tea?", every: "1h" }, owner.id);
    await one.schedule.fire(bot, "tea");
  }
  await house.pass(30 * MINUTE);
  await using one = await house.start();
  await house.pass(10_000);
  expect(fatesOf(await one.schedule.slots(bot, "tea", ALL))).toEqual(["fired 1"]);
  await house.end("replied");
  await house.pass(2 * MINUTE);
  expect(await one.schedule.get(bot, "tea")).toMatchObject({ failures: 0, last: { fate: "fired" } });
});

describe("many jobs", () => {
  const many = (count: number, times: string): string =>
    Array.from({ length: count }, (_, index) => `[jobs.job-${index}]\nprompt = "Look."\n${times}\n`).join("\n");

  test("idle jobs read nothing from the store, and in a minute many jobs read no more than one", async () => {
    const house = await openScheduledHouse(NOON);
    await using _ = await house.start();
    const readsIn = async (seconds: number): Promise<number> => {
      const total = (): number => [...house.reads.values()].reduce((sum, times) => sum + times, 0);
      const before = total();
      for (let passed = 0; passed < seconds; passed += 2) await house.pass(1000);
      return total() - before;
    };
    const readsOf = async (count: number): Promise<readonly number[]> => {
      await house.save(many(count, 'cron = "0 0 1 7 *"'));
      await house.pass(MINUTE);
      expect(await house.store.select({ table: "jobs" })).toHaveLength(count);
      return [await readsIn(30), await readsIn(60)];
    };
    const one = await readsOf(1);
    expect(one[0]).toBe(0);
    expect(await readsOf(300)).toEqual(one);
  });

  test("of one agent, due all at once, delay neither another agent's job nor other turns", async () => {
    const house = await openScheduledHouse(NOON);
    const other = await house.hire("Other");
    await using running = await house.start();
    await house.save(many(200, 'once = "2026-01-01T13:00"'));
    await running.schedule.list(house.bot);
    await running.schedule.add(other, { name: "own", prompt: "Own", once: "2026-01-01T13:00" }, house.owner.id);
    let [turns, before] = [0, Infinity];
    const passing = house.pass(HOUR);
    for (let fired = 0; fired < 201; turns += 1) {
      await house.world.clock.turn();
      const slots = await house.store.select({ table: "job_slots" });
      fired = slots.length;
      if (slots.some(({ agent }) => agent === other.id)) before = Math.min(before, fired);
    }
    await passing;
    expect(before).toBeLessThanOrEqual(100);
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
