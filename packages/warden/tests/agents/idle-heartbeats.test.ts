/**
 * F1, R26. Reasons for which a heartbeat does not run, and its state over restarts, stops and
 * invalid keys.
 */
import { describe, expect, test } from "bun:test";
import {
  atNoon,
  beatsOf,
  HOUR,
  MINUTE,
  NOON,
  NOTHING_NEW,
  openBeating,
  pass,
  passHeld,
  saidIn,
  setHeartbeat,
  SILENT,
  told,
  writeBrain,
} from "../fixtures/heartbeats.ts";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { call, createGate, resultsIn } from "../../src/fixtures/talk.ts";

const NOTHING_LISTED = "HEARTBEAT.md of the brain is missing or empty.";
const ALWAYS = { every: "30m", always: true };
const JOB = "/api/agents/main/jobs/heartbeat";
const OK = () => ({ text: "HEARTBEAT_OK" });
const HINT = "hearth agent edit AGENT --heartbeat";

describe("a heartbeat does not run", () => {
  test("if HEARTBEAT.md is missing or has only comments, headings and empty list items", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    await house.ask("PATCH", "/api/agents/main", { content: { heartbeat: ALWAYS } });
    await pass(house, world, 31 * MINUTE);
    await writeBrain(house, "HEARTBEAT.md", "# What to look at\n\n<!-- such as\n- the post -->\n- \n* [ ]\n---\n");
    await pass(house, world, 60 * MINUTE);
    expect(told(await beatsOf(house))).toEqual([`skipped 3: ${NOTHING_LISTED}`]);
    expect(house.model.requests).toEqual([]);
    await writeBrain(house, "HEARTBEAT.md", "# What to look at\n\n- the post\n");
    await pass(house, world, 30 * MINUTE);
    expect(told(await beatsOf(house)).at(-1)).toBe(`fired 1: ${SILENT}`);
  });

  test("outside of its hours in its time zone, also for hours that span midnight", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    // Noon in UTC is nine in the evening in Tokyo.
    await house.ask("PATCH", "/api/agents/main", { content: { timezone: "Asia/Tokyo" } });
    await setHeartbeat(house, { every: "1h", always: true, hours: { from: "08:00", to: "22:00" } });
    await pass(house, world, 12 * HOUR + MINUTE, MINUTE);
    const out = "The time is outside the active hours, 08:00 to 22:00 (Asia/Tokyo).";
    expect(told(await beatsOf(house))).toEqual([`skipped 10: ${out}`, ...[`fired 1: ${SILENT}`, `fired 1: ${SILENT}`]]);
    // The next day, at half past nine in Tokyo.
    await setHeartbeat(house, { every: "1h", always: true, hours: { from: "22:00", to: "11:00" } });
    await pass(house, world, 3 * HOUR, MINUTE);
    expect(told(await beatsOf(house)).slice(3)).toEqual([
      `fired 1: ${SILENT}`,
      "skipped 2: The time is outside the active hours, 22:00 to 11:00 (Asia/Tokyo).",
    ]);
  });

  test("for the rest of a day whose heartbeat budget is spent, while the agent still answers messages", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const usage = { inputTokens: 0, outputTokens: 6_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await using house = await openBeating({
      ...{ disk, world, beat: () => ({ text: "HEARTBEAT_OK", usage }) },
      sections: '[prices."fake/"]\ninput = 1\noutput = 1\n',
    });
    await setHeartbeat(house, { every: "1h", always: true, budget: { tokens: 20_000 } });
    await pass(house, world, 11 * HOUR + 30 * MINUTE, MINUTE);
    const slots = told(await beatsOf(house));
    expect(slots).toEqual([
      ...Array(3).fill(`fired 1: ${SILENT}`),
      expect.stringMatching(
        /^skipped 8: Today's budget for heartbeats of 20000 tokens for @main is used up: 18000 tokens/,
      ),
    ]);
    expect(house.model.requests).toHaveLength(3);
    await house.post("hello");
    await pass(house, world, MINUTE);
    expect(await saidIn(house)).toEqual(["hello", "yes"]);
    await pass(house, world, 1 * HOUR, MINUTE);
    // A new day has a new budget.
    expect(told(await beatsOf(house)).at(-1)).toBe(`fired 1: ${SILENT}`);
    const { json: report } = await house.ask("GET", "/api/budget");
    expect(report.budgets.map(({ scope }: { scope: string }) => scope)).not.toContain("heartbeat");
  });

  test("while its agent's own budget is spent", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    await house.ask("PATCH", "/api/agents/main", { content: { budget: { day: { tokens: 1 } } } });
    await setHeartbeat(house, ALWAYS);
    await pass(house, world, 2 * HOUR + MINUTE);
    expect(told(await beatsOf(house))).toEqual([
      expect.stringMatching(/^skipped 4: Today's budget of 1 tokens for @main/),
    ]);
    expect(house.model.requests).toEqual([]);
  });

  test("to its end if its next call does not fit the budget: it is stopped, not skipped, although its model reports no tokens", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    let beats = 0;
    await using house = await openBeating({
      ...{ disk, world },
      beat: (request) => (resultsIn(request).length === 0 && (beats += 1) > 1 ? call("time", {}) : OK()),
    });
    await setHeartbeat(house, { every: "1h", always: true });
    await pass(house, world, HOUR + MINUTE);
    const { length } = new TextEncoder().encode(JSON.stringify(house.model.requests[0]));
    // Fits the first call (three bytes per token) and the reservation of another (one per token).
    await setHeartbeat(house, { every: "1h", always: true, budget: { tokens: Math.round(length * 1.5) } });
    await pass(house, world, HOUR);
    expect(told(await beatsOf(house))).toEqual([
      `fired 1: ${SILENT}`,
      expect.stringMatching(/^stopped 1: Today's budget/),
    ]);
    expect(beats).toBe(2);
  });

  test("while its agent is stopped, and runs after the resume", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    await setHeartbeat(house, ALWAYS);
    await house.ask("POST", "/api/agents/main/stop");
    await pass(house, world, HOUR + MINUTE);
    await house.ask("POST", "/api/agents/main/resume");
    await pass(house, world, 30 * MINUTE);
    expect(told(await beatsOf(house))).toEqual(["skipped 2: The agent is stopped.", `fired 1: ${SILENT}`]);
  });

  test("while the previous one is running", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const gate = createGate();
    await using house = await openBeating({
      ...{ disk, world },
      async beat() {
        await gate.pass();
        return { text: "HEARTBEAT_OK" };
      },
    });
    await setHeartbeat(house, { every: "20s", always: true });
    await passHeld(house, world, 61_000, 5_000);
    gate.open();
    await pass(house, world, 20_000, 5_000);
    expect(told(await beatsOf(house))).toEqual([
      ...[`fired 1: ${SILENT}`, "merged 2: The previous heartbeat had not ended.", `fired 1: ${SILENT}`],
    ]);
  });
});

describe("a provider that rejects its key", () => {
  const open = async (disk: ReturnType<typeof createTestDisk>, world = atNoon()) => {
    const key = { isRight: false };
    const refused = { error: { code: "provider.auth", message: "The key is wrong.", hint: "Set a new one." } } as const;
    const house = await openBeating({
      ...{ disk, world },
      beat: () => (key.isRight ? { text: "HEARTBEAT_OK" } : refused),
      others: { Main: () => (key.isRight ? { text: "yes" } : refused) },
    });
    return { house, world, key };
  };
  const statusOf = async (house: Awaited<ReturnType<typeof open>>["house"]) =>
    (await house.ask("GET", JOB)).json.status;

  test("halts it at once, which is reported once, until a person resumes it", async () => {
    using disk = createTestDisk();
    const { house, world, key } = await open(disk);
    await using _ = house;
    await setHeartbeat(house, ALWAYS);
    await pass(house, world, 5 * HOUR, MINUTE);
    expect(told(await beatsOf(house))).toEqual(["failed 1: The key is wrong."]);
    expect(house.model.requests).toHaveLength(1);
    expect(await saidIn(house)).toEqual([
      'The job "heartbeat" failed: The key is wrong.\n\nIt failed once and is halted. To resume it once it is fixed: hearth job resume main heartbeat',
    ]);
    expect(await statusOf(house)).toBe("halted");
    key.isRight = true;
    expect((await house.ask("PATCH", JOB, { paused: false })).json).toMatchObject({ status: "active", failures: 0 });
    await pass(house, world, 31 * MINUTE);
    expect(told(await beatsOf(house)).at(-1)).toBe(`fired 1: ${SILENT}`);
  });

  test("halts it until the agent's model answers a message", async () => {
    using disk = createTestDisk();
    const { house, world, key } = await open(disk);
    await using _ = house;
    await setHeartbeat(house, ALWAYS);
    await pass(house, world, 31 * MINUTE);
    await house.post("are you there?");
    await pass(house, world, MINUTE);
    expect(await statusOf(house)).toBe("halted");
    key.isRight = true;
    await house.post("and now?");
    await pass(house, world, MINUTE);
    expect(await statusOf(house)).toBe("active");
  });

  const fixes: Record<string, (house: Awaited<ReturnType<typeof open>>["house"]) => Promise<{ status: number }>> = {
    "the agent has another model": (house) =>
      house.ask("PATCH", "/api/agents/main", { content: { fallback: ["fake/other"] } }),
    "a secret of the house has another value": async (house) => {
      const { json } = await house.ask("GET", "/api/me");
      return house.ask("POST", `/api/houses/${json.home}/secrets`, { name: "other", value: "another-one-of-them" });
    },
    "a provider is added": (house) => house.ask("POST", "/api/providers", { name: "other", kind: "scripted" }),
  };
  for (const [what, fix] of Object.entries(fixes))
    test(`halts it until ${what}`, async () => {
      using disk = createTestDisk();
      const { house, world } = await open(disk);
      await using _ = house;
      await setHeartbeat(house, ALWAYS);
      await pass(house, world, 31 * MINUTE);
      expect(await statusOf(house)).toBe("halted");
      expect((await fix(house)).status).toBeLessThan(300);
      await pass(house, world, MINUTE);
      expect(await statusOf(house)).toBe("active");
    });

  test("halts it until the house restarts, possibly with another key", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    {
      const { house } = await open(disk, world);
      await using _ = house;
      await setHeartbeat(house, ALWAYS);
      await pass(house, world, 31 * MINUTE);
      expect(await statusOf(house)).toBe("halted");
    }
    const { house } = await open(disk, world);
    await using _ = house;
    await pass(house, world, MINUTE);
    expect(await statusOf(house)).toBe("active");
  });
});

test("a transient failure is retried with the next slot, although there is no news", async () => {
  using disk = createTestDisk();
  const world = atNoon();
  const replies = [{ error: { code: "provider.refused", message: "Not like this." } } as const];
  await using house = await openBeating({ disk, world, beat: () => replies.shift() ?? { text: "HEARTBEAT_OK" } });
  await setHeartbeat(house, { every: "1h" });
  await pass(house, world, 3 * HOUR + MINUTE, MINUTE);
  expect(told(await beatsOf(house))).toEqual([
    ...["failed 1: Not like this.", `fired 1: ${SILENT}`, `skipped 1: ${NOTHING_NEW}`],
  ]);
});

describe("over restarts", () => {
  test("run no slot twice, and catch up with one missed slot", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const open = () => openBeating({ disk, world, beat: OK });
    {
      await using house = await open();
      await setHeartbeat(house, ALWAYS);
      await pass(house, world, 31 * MINUTE);
    }
    {
      await using house = await open();
      await pass(house, world, 2 * MINUTE);
      expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`]);
    }
    await world.advance(30 * 24 * HOUR);
    await using house = await open();
    await pass(house, world, MINUTE);
    expect(told(await beatsOf(house))).toEqual([
      ...[`fired 1: ${SILENT}`, "merged 1439: A later slot fired for it.", `fired 1: ${SILENT}`],
    ]);
    expect((await house.ask("GET", JOB)).json.next).toBe(NOON + (30 * 48 + 2) * 30 * MINUTE);
    expect(house.model.requests).toHaveLength(1);
  });

  test("keep the position up to which it has looked", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const open = () => openBeating({ disk, world, beat: OK });
    {
      await using house = await open();
      await setHeartbeat(house, { every: "30m" });
      await pass(house, world, 31 * MINUTE);
    }
    await using house = await open();
    await pass(house, world, 30 * MINUTE);
    expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, `skipped 1: ${NOTHING_NEW}`]);
  });
});

describe("a heartbeat as a job", () => {
  test("is listed, paused, resumed and run, and is in no file", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    await setHeartbeat(house, { every: "1h30m" });
    const { jobs, mistakes } = (await house.ask("GET", "/api/agents/main/jobs")).json;
    expect(mistakes).toEqual([]);
    const listed = { name: "heartbeat", understood: "every 1h30m", status: "active", next: NOON + 90 * MINUTE };
    expect(jobs).toMatchObject([{ ...listed, context: "isolated" }]);
    expect((await house.ask("PATCH", JOB, { paused: true })).json.status).toBe("paused");
    await pass(house, world, 4 * HOUR, MINUTE);
    expect(await beatsOf(house)).toEqual([]);
    expect((await house.ask("POST", `${JOB}/run`)).json).toMatchObject({ fate: "fired", byHand: true });
    await pass(house, world, MINUTE);
    expect((await house.ask("PATCH", JOB, { paused: false })).json.next).toBe(NOON + 270 * MINUTE);
    expect((await house.ask("PATCH", JOB, { every: "1h" })).json.error).toMatchObject({ code: "job.invalid" });
    expect((await house.ask("DELETE", JOB)).json.error.hint).toContain(HINT.slice(0, 17));
    const add = { name: "heartbeat", prompt: "Look", every: "1h" };
    const { json } = await house.ask("POST", "/api/agents/main/jobs", add);
    expect(json.error).toMatchObject({ code: "job.invalid", hint: expect.stringContaining(HINT) });
    await writeBrain(house, "cron/jobs.toml", '[jobs.heartbeat]\nprompt = "Look"\nevery = "1h"\n');
    const after = (await house.ask("GET", "/api/agents/main/jobs")).json;
    expect(after).toMatchObject({ jobs: [{ name: "heartbeat" }], mistakes: [{ line: 1, name: "heartbeat" }] });
  });

  test("disappears with the record, and its past slots stay", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: OK });
    await setHeartbeat(house, ALWAYS);
    await pass(house, world, 31 * MINUTE);
    await house.ask("PATCH", "/api/agents/main", { content: { heartbeat: null } });
    await pass(house, world, 2 * HOUR, MINUTE);
    expect((await house.ask("GET", "/api/agents/main/jobs")).json.jobs).toEqual([]);
    expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`]);
  });

  test("with invalid settings is refused with the reason", async () => {
    using disk = createTestDisk();
    await using house = await openBeating({ disk, world: atNoon(), beat: OK });
    const wrong = async (heartbeat: object) => {
      const { status, json } = await house.ask("PATCH", "/api/agents/main", { content: { heartbeat } });
      return [status, json.error.message];
    };
    for (const [heartbeat, words] of [
      [{ every: "often" }, "is not an interval such as 30m, 2h or 1d"],
      [{ every: "5s" }, "is too short: the minimum is 10s"],
      [{ every: "1h", hours: { from: "8", to: "22:00" } }, 'must be a time of day such as "08:00"'],
      [{ every: "1h", hours: { from: "08:00", to: "08:00" } }, "must not end when it begins"],
      [{ every: "1h", budget: {} }, "sets no limit"],
      [{ always: true }, "every"],
    ] as const)
      expect(await wrong(heartbeat)).toEqual([400, expect.stringContaining(words)]);
  });
});
