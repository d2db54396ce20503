/**
 * Jobs in a whole house: each runs at its times, once, in its owner's name, and every slot has one
 * fate.
 */
import { describe, expect, test } from "bun:test";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import "../../src/fixtures/read-ahead.ts";
import { lastIn, play, readIn } from "../../src/fixtures/talk.ts";

const { hash } = createBunWorld();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const JOBS = "/api/agents/main/jobs";
const FILE = "main/cron/jobs.toml";

type Json = ReturnType<typeof JSON.parse>;

const open = async (disk: TestDisk, world = createFakeWorld({ hash })) => {
  const script = play({
    Main: (request) => {
      if (lastIn(request).includes("fail")) throw new Error("the model is down");
      return { text: `did: ${lastIn(request)}` };
    },
  });
  const house = await openTestHouse({ disk, world, script });
  return { house, world };
};

/** Advances time in steps, so that work started by one step runs before the next. */
const pass = async (world: FakeWorld, ms: number, step = 5_000): Promise<void> => {
  for (let left = ms; left > 0; left -= step) {
    await world.advance(Math.min(step, left));
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
};

const add = async (house: TestHouse, job: Json): Promise<Json> => {
  const { status, json } = await house.ask("POST", JOBS, job);
  expect([status, json.error]).toEqual([201, undefined]);
  return json;
};

const slotsOf = async (house: TestHouse, name: string): Promise<Json[]> =>
  (await house.ask("GET", `${JOBS}/${name}/slots`)).json.toReversed();

const textsIn = async (house: TestHouse): Promise<readonly string[]> =>
  (await house.messages()).map(({ body }) => body.text);

/** The texts in the agent's last model request. */
const readLast = (house: TestHouse): readonly string[] => {
  const request = house.model.requests.at(-1);
  return request === undefined ? [] : readIn(request).map(({ text }) => text);
};

const NOON = Date.UTC(2026, 0, 1, 12);
const atNoon = () => createFakeWorld({ hash, now: NOON });

test("a job posts in its owner's name, in their room, and its slot ends with the reply", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  await house.post("hello");
  await house.until(2);
  const job = await add(house, { name: "tea", prompt: "Tea?", when: "every hour" });
  expect(job).toMatchObject({ understood: "every 1h", status: "active", next: NOON + HOUR, context: "isolated" });
  await pass(world, HOUR + MINUTE, 30_000);
  expect(await textsIn(house)).toEqual(["hello", "did: hello", "Tea?", "did: Tea?"]);
  // Nothing of the earlier conversation: the session is empty.
  expect(readLast(house)).not.toContain("hello");
  const [, , asked, reply] = await house.messages();
  expect(asked).toMatchObject({ author: job.owner, job: { name: "tea", context: "isolated" } });
  expect(await slotsOf(house, "tea")).toMatchObject([
    { slot: NOON + HOUR, count: 1, fate: "fired", reason: "On time.", byHand: false, result: reply?.id },
  ]);
  const after = (await house.ask("GET", `${JOBS}/tea`)).json;
  expect(after).toMatchObject({ next: NOON + 2 * HOUR, failures: 0, last: { slot: NOON + HOUR, result: reply?.id } });
});

test("a job with its room's conversation reads it, and its prompt is not a command", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  await house.post("hello");
  await house.until(2);
  await add(house, { name: "sum", prompt: "/new", once: "2026-01-01T12:10", context: "main" });
  await pass(world, 11 * MINUTE, 30_000);
  expect((await textsIn(house)).slice(2)).toEqual(["/new", "did: /new"]);
  expect(readLast(house)).toContain("hello");
  expect((await house.ask("GET", `${JOBS}/sum`)).json).toMatchObject({ status: "over", last: { fate: "fired" } });
});

test("an edit on disk takes effect, and an error names its line and leaves the other jobs unchanged", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  await add(house, { name: "one", prompt: "One", every: "1h" });
  const text = (await disk.brains.read(FILE)) ?? "";
  await disk.brains.write(FILE, `${text.replace("One", "Uno")}\n[jobs.two]\nprompt = "Two"\ncron = "bad"\n`);
  await pass(world, HOUR + MINUTE, 30_000);
  expect(await textsIn(house)).toEqual(["Uno", "did: Uno"]);
  const { jobs, mistakes } = (await house.ask("GET", JOBS)).json;
  expect(jobs).toHaveLength(1);
  expect(mistakes).toMatchObject([{ line: 8, name: "two" }]);
});

describe("after a restart", () => {
  test("a job that ran at six in the morning is next due the next morning", async () => {
    using disk = createTestDisk();
    const world = createFakeWorld({ hash, now: Date.UTC(2026, 0, 1, 5) });
    {
      const { house } = await open(disk, world);
      await using _ = house;
      await add(house, { name: "early", prompt: "Early", cron: "0 6 * * *" });
      await pass(world, 2 * HOUR, MINUTE);
    }
    await world.advance(10 * HOUR);
    const { house } = await open(disk, world);
    await using _ = house;
    await pass(world, MINUTE);
    expect((await house.ask("GET", `${JOBS}/early`)).json).toMatchObject({ next: Date.UTC(2026, 0, 2, 6) });
    expect(await slotsOf(house, "early")).toHaveLength(1);
  });

  test("R11: missed slots are caught up with once, and listing the job starts nothing", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    {
      const { house } = await open(disk, world);
      await using _ = house;
      await add(house, { name: "often", prompt: "Often", every: "1h" });
      await add(house, { name: "never", prompt: "Never", every: "1h", catchUp: "skip" });
    }
    await world.advance(30 * 24 * HOUR + MINUTE * 2);
    const { house } = await open(disk, world);
    await using _ = house;
    await house.ask("GET", JOBS);
    await pass(world, MINUTE);
    expect(await slotsOf(house, "often")).toMatchObject([
      { fate: "merged", count: 719, slot: NOON + HOUR },
      { fate: "fired", count: 1, slot: NOON + 720 * HOUR },
    ]);
    expect(await slotsOf(house, "never")).toMatchObject([{ fate: "missed", count: 720 }]);
    expect((await textsIn(house)).filter((text) => text === "Often")).toHaveLength(1);
  });
});

test("a failing job is reported in its room, backs off, and halts after the fifth failure until it is resumed", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  await add(house, { name: "bad", prompt: "fail", every: "2h" });
  await pass(world, 11 * HOUR, MINUTE);
  expect((await slotsOf(house, "bad")).map(({ fate }) => fate)).toEqual(Array(5).fill("failed"));
  const told = (await textsIn(house)).filter((text) => text.startsWith('The job "bad" failed'));
  expect(told).toHaveLength(5);
  expect(told.at(-1)).toContain("hearth job resume main bad");
  expect((await house.ask("GET", `${JOBS}/bad`)).json).toMatchObject({ status: "halted", failures: 5 });
  // An edit alone does not resume it.
  await house.ask("PATCH", `${JOBS}/bad`, { prompt: "still bad" });
  expect((await house.ask("GET", `${JOBS}/bad`)).json).toMatchObject({ status: "halted", failures: 5 });
  await house.ask("PATCH", `${JOBS}/bad`, { paused: false, prompt: "fine" });
  expect((await house.ask("GET", `${JOBS}/bad`)).json).toMatchObject({ status: "active", failures: 0 });
  await pass(world, 3 * HOUR, MINUTE);
  expect((await slotsOf(house, "bad")).at(-1)).toMatchObject({ fate: "fired" });
});

test("a job is paused, resumed, edited, run outside its schedule, and removed", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  await add(house, { name: "tea", prompt: "Tea?", cron: "0 * * * *" });
  expect((await house.ask("POST", JOBS, { name: "tea", prompt: "x", every: "1h" })).json.error.code).toBe("job.taken");
  const paused = (await house.ask("PATCH", `${JOBS}/tea`, { paused: true })).json;
  expect([paused.status, paused.next]).toEqual(["paused", undefined]);
  await pass(world, 2 * HOUR, MINUTE);
  expect(await house.messages()).toEqual([]);
  expect((await house.ask("POST", `${JOBS}/tea/run`)).json).toMatchObject({ fate: "fired", byHand: true });
  await house.until(2);
  const edited = (await house.ask("PATCH", `${JOBS}/tea`, { paused: false, when: "every day at 18:00" })).json;
  expect(edited).toMatchObject({
    status: "active",
    understood: "every day at 18:00 (UTC)",
    next: Date.UTC(2026, 0, 1, 18),
  });
  expect((await house.ask("DELETE", `${JOBS}/tea`)).status).toBe(204);
  expect((await house.ask("GET", `${JOBS}/tea`)).json.error.code).toBe("job.not-found");
  expect(await slotsOf(house, "tea")).toHaveLength(1);
});

test("an invalid job is refused, and nothing is written", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk, atNoon());
  await using _ = house;
  for (const times of [
    { when: "soon" },
    { cron: "1 2 3" },
    { every: "1s" },
    { once: "later" },
    {},
    { every: "1h", when: "daily" },
    { every: "1h", room: "nowhere" },
  ])
    expect((await house.ask("POST", JOBS, { name: "tea", prompt: "Tea?", ...times })).json.error.code).toBe(
      "job.invalid",
    );
  expect(await disk.brains.read(FILE)).toBeUndefined();
});

test("a schedule that is never due is refused, and a job that ran once may still be edited", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk, atNoon());
  await using _ = house;
  for (const times of [
    { once: "2020-01-01" },
    { every: "1h", until: "2026-01-01T12:30" },
    { cron: "0 9 31 2 *" },
    { cron: "0 9 * * *", until: "2025-12-31" },
  ]) {
    const { error } = (await house.ask("POST", JOBS, { name: "tea", prompt: "Tea?", ...times })).json;
    expect([error.code, error.message]).toEqual(["job.invalid", expect.stringContaining("The job would never run: ")]);
  }
  expect(await disk.brains.read(FILE)).toBeUndefined();
  // The named day is the last one, until its end.
  await add(house, { name: "tea", prompt: "Tea?", cron: "0 18 * * *", until: "2026-01-01" });
  expect((await house.ask("PATCH", `${JOBS}/tea`, { until: "2025-12-31" })).json.error.code).toBe("job.invalid");
  expect((await house.ask("PATCH", `${JOBS}/tea`, { room: "nowhere" })).json.error.code).toBe("job.invalid");
  await pass(world, 12 * HOUR, HOUR);
  expect((await slotsOf(house, "tea")).map(({ slot }) => slot)).toEqual([Date.UTC(2026, 0, 1, 18)]);
  const edited = (await house.ask("PATCH", `${JOBS}/tea`, { prompt: "Coffee?" })).json;
  expect(edited).toMatchObject({ status: "over", prompt: "Coffee?" });
});
