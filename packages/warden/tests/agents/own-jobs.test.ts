/**
 * Agents that schedule jobs: a turn's job belongs to the person who asked, is created once, and
 * untrusted text creates none.
 */
import { describe, expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import "../../src/fixtures/read-ahead.ts";
import { declareExternal } from "../../src/agents/tools/external-tools.ts";
import { addBot, call, obeys, play, resultsIn } from "../../src/fixtures/talk.ts";

const { hash } = createBunWorld();
const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 1, 12);
const JOBS = "/api/agents/main/jobs";
const FILE = "main/cron/jobs.toml";

type Json = ReturnType<typeof JSON.parse>;

const open = async (disk: TestDisk, world: FakeWorld = createFakeWorld({ hash, now: NOON })) => ({
  house: await openTestHouse({ disk, world, script: obeys }),
  world,
});

const pass = async (world: FakeWorld, ms: number, step = 5_000): Promise<void> => {
  for (let left = ms; left > 0; left -= step) {
    await world.advance(Math.min(step, left));
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
};

/** The tool's result, when the turn has ended. */
const callTool = async (house: TestHouse, tool: string, input: Json): Promise<string> => {
  const before = (await house.messages()).length;
  await house.post(`call ${tool} ${JSON.stringify(input)}`);
  return (await house.until(before + 2)).at(-1)?.body.text ?? "";
};

const jobsOf = async (house: TestHouse): Promise<Json[]> => (await house.ask("GET", JOBS)).json.jobs;
const statuses = async (house: TestHouse): Promise<Json> =>
  Object.fromEntries((await jobsOf(house)).map(({ name, status }) => [name, status]));
const textsIn = async (house: TestHouse): Promise<readonly string[]> =>
  (await house.messages()).map(({ body }) => body.text);

test("a reminder belongs to the person who asked, names its time, and is posted where it was requested", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk);
  await using _ = house;
  const said = await callTool(house, "schedule_task", { when: "in 20 minutes", prompt: "Remind them: call Ana." });
  expect(said).toMatch(
    /^It is scheduled as remind-them-call-ana-\w{6}: once, on 2026-01-01 12:20 \(UTC\); next: 2026-01-01 12:20 \(UTC\)\. Your answer will be posted here\.$/,
  );
  const [job, ...others] = await jobsOf(house);
  const [asked] = await house.messages();
  expect(others).toEqual([]);
  expect(job).toMatchObject({ owner: asked?.author, status: "active", next: NOON + 20 * MINUTE, context: "isolated" });
  expect(job).not.toHaveProperty("room");
  expect(await disk.brains.read(FILE)).toContain('prompt = "Remind them: call Ana."');
  await pass(world, 21 * MINUTE, 30_000);
  expect((await textsIn(house)).slice(2)).toEqual(["Remind them: call Ana.", "did: Remind them: call Ana."]);
});

test("slots are shown in the time zone of the person who asked, and the job uses that zone", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  const { version } = (await house.ask("GET", "/api/agents/owner")).json;
  await house.ask("PATCH", "/api/agents/owner", { content: { timezone: "Europe/Berlin" }, version });
  const said = await callTool(house, "schedule_task", {
    name: "sum",
    when: "every day at 9",
    prompt: "Sum up yesterday.",
  });
  expect(said).toStartWith(
    "It is scheduled as sum: every day at 09:00 (Europe/Berlin); next: 2026-01-02 09:00, 2026-01-03 09:00, 2026-01-04 09:00 (Europe/Berlin).",
  );
  expect(await jobsOf(house)).toMatchObject([{ next: Date.UTC(2026, 0, 2, 8), schedule: { zone: "Europe/Berlin" } }]);
});

test("an agent lists, pauses, resumes and cancels its jobs", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  expect(await callTool(house, "list_tasks", {})).toBe("Nothing is scheduled.");
  await callTool(house, "schedule_task", { name: "tea", every: "1h", prompt: "Tea?" });
  expect(await callTool(house, "list_tasks", {})).toBe(
    "tea (every 1h; next: 2026-01-01 13:00, 2026-01-01 14:00, 2026-01-01 15:00 (UTC)): Tea?",
  );
  expect(await callTool(house, "pause_task", { name: "tea" })).toBe("tea is paused. Its times: every 1h.");
  expect(await jobsOf(house)).toMatchObject([{ status: "paused" }]);
  expect(await callTool(house, "list_tasks", {})).toBe("tea (every 1h; paused): Tea?");
  expect(await callTool(house, "resume_task", { name: "tea" })).toStartWith("tea is resumed: every 1h; next: ");
  expect(await jobsOf(house)).toMatchObject([{ status: "active" }]);
  expect(await callTool(house, "cancel_task", { name: "tea" })).toBe("tea is cancelled.");
  expect(await jobsOf(house)).toEqual([]);
  expect(await callTool(house, "cancel_task", { name: "tea" })).toBe('There is no job "tea".');
});

describe("a job that failed too often and halted", () => {
  const haltTea = async (disk: TestDisk): Promise<void> =>
    void (await disk.store.commit({
      writes: [
        {
          kind: "update",
          table: "jobs",
          where: { name: "tea" },
          set: { status: "halted", next_at: null, failures: 5, not_before: NOON + MINUTE },
        },
      ],
    }));

  test("runs again from its next time once a turn resumes it, as if it had never failed", async () => {
    using disk = createTestDisk();
    const { house } = await open(disk);
    await using _ = house;
    for (const name of ["tea", "paused"]) await callTool(house, "schedule_task", { name, every: "1h", prompt: "Tea?" });
    await callTool(house, "pause_task", { name: "paused" });
    await haltTea(disk);
    expect(await callTool(house, "resume_task", { name: "paused" })).toStartWith("paused is resumed: ");
    expect(await statuses(house)).toEqual({ paused: "active", tea: "halted" });
    expect(await callTool(house, "resume_task", { name: "tea" })).toStartWith("tea is resumed: every 1h; next: ");
    expect((await house.ask("GET", `${JOBS}/tea`)).json).toMatchObject({
      ...{ status: "active", failures: 0, next: NOON + 60 * MINUTE },
    });
  });

  test("stays halted when a turn that read untrusted text resumes it, although no file changes", async () => {
    using disk = createTestDisk();
    const far = declareExternal({
      ...{ name: "far", description: "x", schema: { type: "object", properties: {} }, effect: "pure", sinks: [] },
      traits: { readsUntrusted: true, readsPrivate: false, acts: false, destroys: false },
      ...{ level: "w", needs: "nothing", timeoutMs: 10_000 },
    });
    const script = play({
      Main: (request) => {
        const results = resultsIn(request);
        if (results.length === 0) return call("far", {});
        return results.length === 1 ? call("resume_task", { name: "tea" }) : { text: results[1]?.text ?? "" };
      },
    });
    const house = await openTestHouse({
      ...{ disk, script, world: createFakeWorld({ hash, now: NOON }) },
      further: { far: { declaration: far, run: async () => ({ text: "from afar", failed: false }) } },
    });
    await using _ = house;
    await house.ask("POST", JOBS, { name: "tea", prompt: "Tea?", every: "1h" });
    await haltTea(disk);
    await house.post("go");
    expect((await house.until(2)).at(-1)?.body.text).toBe(
      'The job "tea" failed too often and halted. Only a person can resume it.',
    );
    expect(await statuses(house)).toEqual({ tea: "halted" });
  });
});

test("a schedule that is invalid, past, or uses a taken name is refused with the reason", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  const asked = (input: Json) => callTool(house, "schedule_task", { prompt: "x", ...input });
  expect(await asked({ when: "soon" })).toContain("is not a time that Hearth understands");
  expect(await asked({})).toContain("one of cron, every and once");
  expect(await asked({ once: "2025-01-01T09:00" })).toBe(
    "The job would never run: once, on 2025-01-01 09:00 (UTC) is in the past.",
  );
  expect(await asked({ every: "1h", room: "nowhere" })).toBe(
    'There is no room "nowhere" that both of you may write in.',
  );
  await asked({ name: "tea", every: "1h" });
  expect(await asked({ name: "tea", every: "2h" })).toBe('A job "tea" already exists.');
  expect(await asked({ name: "heartbeat", every: "1h" })).toContain("heartbeat");
  expect((await jobsOf(house)).map(({ name }) => name)).toEqual(["tea"]);
});

test("a heartbeat belongs to people: the agent neither lists nor removes it", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  const set = { content: { heartbeat: { every: "30m" } } };
  expect((await house.ask("PATCH", "/api/agents/main", set)).status).toBe(200);
  expect((await jobsOf(house)).map(({ name }) => name)).toEqual(["heartbeat"]);
  expect(await callTool(house, "list_tasks", {})).toBe("Nothing is scheduled.");
  expect(await callTool(house, "cancel_task", { name: "heartbeat" })).toBe('There is no job "heartbeat".');
  expect(await jobsOf(house)).toHaveLength(1);
});

test("in a room with other people a turn schedules only for that room, and sees only the jobs of the person who asked there", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  const kitchen = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json;
  await house.ask("POST", "/api/rooms", { content: { name: "Garden" } });
  const bea = await addBot(house, "Bea", { kind: "human", model: undefined });
  const key = (await house.ask("POST", "/api/keys", { name: "x", agent: bea.id })).json.key;
  const here = `/api/rooms/${kitchen.id}`;
  const said = async (): Promise<Json[]> => (await house.ask("GET", `${here}/events`)).json.events;
  const ask = async (tool: string, input: Json, as?: string): Promise<string> => {
    const before = (await said()).length;
    await house.ask("POST", `${here}/messages`, { text: `@main call ${tool} ${JSON.stringify(input)}` }, as);
    await until(async () => (await said()).length >= before + 2);
    return (await said()).at(-1)?.body.text;
  };
  await callTool(house, "schedule_task", { name: "gift", every: "1h", prompt: "A gift for Bea." });
  expect(await ask("schedule_task", { name: "soup", every: "1h", prompt: "Soup?" }, key)).toContain(
    "will be posted here.",
  );
  expect(await ask("schedule_task", { every: "1h", prompt: "x", room: "garden" }, key)).toBe(
    "In a shared room, you can schedule jobs for that room only.",
  );
  expect(await ask("list_tasks", {}, key)).toStartWith("soup (");
  expect(await ask("list_tasks", {}, key)).not.toContain("gift");
  expect(await ask("list_tasks", {})).toBe("Nothing is scheduled.");
  for (const tool of ["pause_task", "resume_task", "cancel_task"])
    expect(await ask(tool, { name: "gift" }, key)).toBe(
      'There is no task "gift" here. See what there is with list_tasks.',
    );
  const jobs = await jobsOf(house);
  expect(jobs.map(({ name, owner, room, status }) => [name, owner === bea.id, room, status])).toEqual([
    ["gift", false, undefined, "active"],
    ["soup", true, kitchen.id, "active"],
  ]);
});

test("without a person's request nothing is scheduled", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  const robot = await addBot(house, "Robot", { runs: "elsewhere", model: undefined });
  const key = (await house.ask("POST", "/api/keys", { name: "x", agent: robot.id })).json.key;
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json;
  const text = `@main call schedule_task ${JSON.stringify({ every: "1h", prompt: "x" })}`;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text }, key);
  const said = async (): Promise<Json[]> => (await house.ask("GET", `/api/rooms/${room.id}/events`)).json.events;
  await until(async () => (await said()).length >= 2);
  expect((await said())[1].body.text).toBe("Only a person can ask for a job, and no person asked in this turn.");
  expect(await jobsOf(house)).toEqual([]);
});

test("a person who pauses another person's job does not become its owner", async () => {
  using disk = createTestDisk();
  const { house } = await open(disk);
  await using _ = house;
  await callTool(house, "schedule_task", { name: "tea", every: "1h", prompt: "Tea?" });
  const bea = await addBot(house, "Bea", { kind: "human", model: undefined });
  await house.ask("PUT", `/api/houses/${bea.house}/grants/${bea.id}`, { level: "x" });
  const key = (await house.ask("POST", "/api/keys", { name: "x", agent: bea.id })).json.key;
  const [{ owner }] = await jobsOf(house);
  expect((await house.ask("PATCH", `${JOBS}/tea`, { paused: true }, key)).json).toMatchObject({
    owner,
    status: "paused",
  });
  expect((await house.ask("PATCH", `${JOBS}/tea`, { prompt: "Coffee?" }, key)).json.owner).toBe(bea.id);
});

test("a reminder that ended long ago is removed from the file when the next one is created, and its slot stays", async () => {
  using disk = createTestDisk();
  const { house, world } = await open(disk);
  await using _ = house;
  await callTool(house, "schedule_task", { name: "old", when: "in 20 minutes", prompt: "Old." });
  await pass(world, 21 * MINUTE, 30_000);
  await world.advance(8 * 24 * 60 * MINUTE);
  await callTool(house, "schedule_task", { name: "new", when: "in 20 minutes", prompt: "New." });
  expect((await jobsOf(house)).map(({ name }) => name)).toEqual(["new"]);
  expect((await house.ask("GET", `${JOBS}/old/slots`)).json).toMatchObject([{ fate: "fired" }]);
});
