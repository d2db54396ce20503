/** Agents with budgets: which calls are allowed, what people see, and what survives a restart. */
import { describe, expect, test } from "bun:test";
import { type ErrorCode, type StoredEvent, tokensOf } from "@hearth/protocol";
import { found, until } from "@hearth/protocol/until";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { activationsOf, addBot, call, play, resultsIn, waitForEnd } from "../../src/fixtures/talk.ts";
import type { Script, ScriptedReply } from "../../src/models/scripted/scripted.ts";

/** One dollar per million tokens, so a token costs a micro-dollar. */
const PRICED = '[prices."fake/"]\ninput = 1\noutput = 1\n[prices."fake/cheap"]\ninput = 0\noutput = 0\n';
const usage = (outputTokens: number) => ({ inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
const says = (text: string, outputTokens: number): ScriptedReply => ({ text, usage: usage(outputTokens) });

describe("an agent with a budget", () => {
  test("F1: answers while it lasts, then explains that it is used up, and asks no model", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, sections: PRICED, script: () => says("hello", 3_000) });
    const { json: main } = await house.ask("GET", "/api/agents/main");
    const { status } = await house.ask("PATCH", `/api/agents/${main.id}`, {
      content: { budget: { day: { money: 20_000 } } },
    });
    expect(status).toBe(200);
    let all = await activationsOf(house, "main");
    while (all.at(-1)?.state !== "failed" && all.length < 10) {
      await house.post("hello");
      all = await waitForEnd(house, "main", all.length + 1);
    }
    const answered = all.filter(({ state }) => state === "replied");
    expect(house.model.requests).toHaveLength(answered.length);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered[0].usage).toEqual({ ...usage(3_000), cost: 3_000 });
    const stopped = all.at(-1);
    expect(stopped).toMatchObject({ state: "failed", error: { code: "budget.spent" }, usage: usage(0) });
    expect(stopped.error.message).toStartWith("Today's budget of 0.02 USD for @main is used up: ");
    expect(stopped.error.hint).toBe("Raise it with: hearth agent edit main --budget-day 0.04");
    const { json: report } = await house.ask("GET", "/api/budget");
    const [ofHouse, , ofMain] = report.budgets;
    const spent = 3_000 * answered.length;
    expect(ofHouse).toMatchObject({ scope: "house", spent: { tokens: spent, money: spent }, isReached: false });
    expect(ofMain).toMatchObject({
      agent: main.id,
      spent: { money: spent },
      left: { money: 20_000 - spent },
      isReached: true,
    });
    // After the budget is raised, the agent continues.
    await house.ask("PATCH", `/api/agents/${main.id}`, { content: { budget: { day: { money: 60_000 } } } });
    await house.post("again");
    expect((await waitForEnd(house, "main", all.length + 1)).at(-1)).toMatchObject({ state: "replied" });
  });

  test("books its calls to the room, also after a restart", async () => {
    using disk = createTestDisk();
    const open = () => openTestHouse({ disk, sections: PRICED, script: () => says("hello", 3_000) });
    const costOf = async (house: TestHouse, room: string): Promise<number> =>
      (await house.ask("GET", `/api/usage?room=${room}`)).json.total.money;
    {
      await using house = await open();
      await house.post("one");
      await waitForEnd(house, "main", 1);
      expect(await costOf(house, "main")).toBe(3_000);
      const { json: other } = await house.ask("POST", "/api/rooms", { content: { name: "Den" } });
      expect(await costOf(house, other.id)).toBe(0);
      const { json: ben } = await house.ask("POST", "/api/agents", { content: { name: "Ben", kind: "human" } });
      const { json: key } = await house.ask("POST", "/api/keys", { name: "ben", agent: ben.id });
      expect((await house.ask("GET", "/api/usage?room=main", undefined, key.key)).status).toBe(404);
    }
    await using house = await open();
    await house.post("two");
    await waitForEnd(house, "main", 2);
    expect(await costOf(house, "main")).toBe(6_000);
  });

  test("has the same remaining budget after a restart", async () => {
    using disk = createTestDisk();
    const sections = `${PRICED}[budget]\nday = 0.02\n`;
    const open = () => openTestHouse({ disk, sections, script: () => says("hello", 19_900) });
    {
      await using house = await open();
      await house.post("one");
      expect((await waitForEnd(house, "main", 1))[0]).toMatchObject({ state: "replied" });
    }
    await using house = await open();
    await house.post("two");
    expect((await waitForEnd(house, "main", 2)).at(-1)).toMatchObject({
      state: "failed",
      error: { code: "budget.spent" },
    });
  });

  test("asks a cheaper model if its policy says so", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, sections: PRICED, script: () => says("hello", 19_900) });
    const { json: main } = await house.ask("GET", "/api/agents/main");
    const budget = { day: { money: 20_000 }, atLimit: { cheaper: "fake/cheap" } };
    await house.ask("PATCH", `/api/agents/${main.id}`, { content: { budget } });
    for (const count of [1, 2]) {
      await house.post("hello");
      await waitForEnd(house, "main", count);
    }
    expect(house.model.requests.map(({ model }) => model)).toEqual(["model", "cheap"]);
    const all = await activationsOf(house, "main");
    expect(all.map(({ state, usage: { cost } }) => [state, cost])).toEqual([
      ["replied", 19_900],
      ["replied", undefined],
    ]);
  });

  test("gives a shorter answer if a whole one would not fit", async () => {
    using disk = createTestDisk();
    const sections = `${PRICED}[budget]\nday_tokens = 9000\n`;
    await using house = await openTestHouse({ disk, sections, script: () => says("hello", 5) });
    await house.post("hello");
    await waitForEnd(house, "main", 1);
    const [request] = house.model.requests;
    expect(request?.maxOutputTokens).toBeLessThan(8192);
    expect(request?.maxOutputTokens).toBeGreaterThanOrEqual(512);
  });

  test("shows the budget to the agent on request, and to people in the house's log", async () => {
    using disk = createTestDisk();
    const sections = `${PRICED}[budget]\nmonth = 0.5\n`;
    await using house = await openTestHouse({
      ...{ disk, sections },
      script: (request) =>
        resultsIn(request).length === 0
          ? { ...call("house_query", { about: "budget" }), usage: usage(300_000) }
          : says(resultsIn(request)[0]?.text ?? "", 0),
    });
    const { json: main } = await house.ask("GET", "/api/agents/main");
    await house.ask("PATCH", `/api/agents/${main.id}`, {
      content: { tools: ["house_query"], budget: { day: { money: 900_000 } } },
    });
    await house.post("how much is left?");
    await waitForEnd(house, "main", 1);
    const text = (await house.messages()).at(-1)?.body.text;
    expect(text).toContain("today: 0.30 USD and 300000 tokens spent, of 0.90 USD, 0.60 USD left");
    const { json: home } = await house.ask("GET", "/api/me");
    const { json: page } = await house.ask("GET", `/api/houses/${home.home}/log?limit=1000`);
    const told = (page.events as StoredEvent[]).flatMap((event) =>
      event.type === "budget-warned" ? [[event.agent, event.per, event.percent]] : [],
    );
    expect(told).toEqual([[undefined, "month", 50]]);
  });
});

describe("a turn that is stopped in the middle of an answer", () => {
  test("counts the request and the partial answer, marked as an estimate", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      ...{ disk, sections: PRICED },
      script: () => ({ hang: true, text: "one two three" }),
    });
    await house.post("hello");
    await until(() => house.model.requests.length > 0);
    const [{ id }] = await activationsOf(house, "main");
    await house.ask("POST", `/api/activations/${id}/stop`);
    const [turn] = await waitForEnd(house, "main", 1);
    const asked = new TextEncoder().encode(JSON.stringify(house.model.requests[0])).length;
    const said = Math.ceil("one two three".length / 3);
    expect(turn).toMatchObject({ state: "stopped", usage: { estimated: true, outputTokens: said } });
    expect(turn.usage.inputTokens).toBeWithin(Math.floor(asked / 4), Math.ceil(asked / 2));
    const { json: report } = await house.ask("GET", "/api/budget");
    expect(report.budgets[0]).toMatchObject({
      spent: { money: turn.usage.cost, tokens: turn.usage.inputTokens + said },
      reserved: { money: 0, tokens: 0 },
    });
  });
});

describe("turns that fail", () => {
  test("count in the budget as they do in the activity", async () => {
    using disk = createTestDisk();
    const fails = (code: ErrorCode): ScriptedReply => ({ error: { code, message: "It is so." } });
    const script: Script = [
      { text: "hello", usage: usage(900) },
      fails("provider.malformed"),
      fails("provider.auth"),
      { error: { code: "provider.malformed", message: "It is so." }, usage: usage(70) },
    ];
    await using house = await openTestHouse({ disk, script, sections: PRICED, config: 'queue = "followup"\n' });
    for (let count = 1; count <= script.length; count += 1) {
      await house.post(`message ${count}`);
      await waitForEnd(house, "main", count);
    }
    const turns = await activationsOf(house, "main");
    const tokens = turns.map((turn) => tokensOf(turn.usage));
    expect(turns.map((turn) => turn.usage.estimated ?? false)).toEqual([false, true, false, false]);
    expect(tokens).toEqual([900, expect.any(Number), 0, 70]);
    expect(tokens[1]).toBeGreaterThan(0);
    const { json: report } = await house.ask("GET", "/api/budget");
    expect(report.budgets[0]).toMatchObject({
      spent: { tokens: tokens.reduce((sum, count) => sum + count, 0) },
      reserved: { tokens: 0 },
    });
  });
});

describe("an agent whose budget asks a person at its limit", () => {
  const open = async (disk: TestDisk) => {
    const house = await openTestHouse({ disk, sections: PRICED, script: () => says("hello", 19_900) });
    const { json: main } = await house.ask("GET", "/api/agents/main");
    const budget = { day: { money: 20_000 }, atLimit: "ask" };
    await house.ask("PATCH", `/api/agents/${main.id}`, { content: { budget } });
    await house.post("one");
    await waitForEnd(house, "main", 1);
    await house.post("two");
    const asked = await found<ReturnType<typeof JSON.parse>>(
      async () => (await house.ask("GET", "/api/approvals?state=pending")).json[0],
    );
    return { house, asked };
  };

  test("waits for them, and with their approval exceeds the limit once", async () => {
    using disk = createTestDisk();
    const { house, asked } = await open(disk);
    await using _ = house;
    expect(asked).toMatchObject({
      what: { kind: "model" },
      asks: [{ stage: "budget", text: expect.stringContaining("Today's budget of 0.02 USD for @main is used up") }],
    });
    expect(house.model.requests).toHaveLength(1);
    await house.ask("POST", `/api/approvals/${asked.id}`, { decision: "allow" });
    expect((await waitForEnd(house, "main", 2)).at(-1)).toMatchObject({ state: "replied", usage: { cost: 19_900 } });
    expect(house.model.requests).toHaveLength(2);
    expect((await house.ask("GET", "/api/budget")).json.budgets[2]).toMatchObject({ spent: { money: 39_800 } });
    expect((await house.ask("GET", `/api/approvals/${asked.id}`)).json.state).toBe("used");
  });

  test("ends with an explanation when the person declines, and asks no model", async () => {
    using disk = createTestDisk();
    const { house, asked } = await open(disk);
    await using _ = house;
    await house.ask("POST", `/api/approvals/${asked.id}`, { decision: "deny", reason: "Not today." });
    const turn = (await waitForEnd(house, "main", 2)).at(-1);
    expect(turn).toMatchObject({ state: "failed", usage: usage(0) });
    expect(turn.error.message).toContain("Not today.");
    expect(house.model.requests).toHaveLength(1);
  });
});

describe("a question to another agent", () => {
  test("is paid by the asking turn too", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      ...{ disk, sections: PRICED },
      script: play({
        Main: (request) =>
          resultsIn(request).length === 0
            ? { ...call("ask_agent", { agent: "@scout", question: "what is there?" }), usage: usage(10) }
            : says(resultsIn(request)[0]?.text ?? "", 10),
        Scout: () => says("a lake", 40_000),
      }),
    });
    await addBot(house, "Scout");
    const { json: main } = await house.ask("GET", "/api/agents/main");
    await house.ask("PATCH", `/api/agents/${main.id}`, { content: { budget: { turn: { money: 40_500 } } } });
    await house.post("ask scout");
    const [turn] = await waitForEnd(house, "main", 1);
    expect(turn).toMatchObject({ state: "failed", error: { code: "budget.spent" } });
    expect(turn.error.message).toStartWith("The budget of 0.04 USD for one turn of @main is used up: 0.04 USD spent");
    expect((await activationsOf(house, "scout"))[0]).toMatchObject({ state: "replied", usage: { cost: 40_000 } });
  });
});

describe("an ambient agent with an exhausted budget", () => {
  test("is skipped quietly, before any model is asked", async () => {
    using disk = createTestDisk();
    const sections = `${PRICED}[budget]\nday = 0.0005\n`;
    await using house = await openTestHouse({ disk, sections, script: () => says("yes", 1) });
    const ambient = { debounceMs: 0, relevance: "off" };
    const scout = await addBot(house, "Scout", { triggerMode: "ambient", ambient });
    const { json: room } = await house.ask("POST", "/api/rooms", { content: { name: "Talk" } });
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "the lake is blue" });
    const [skipped] = await waitForEnd(house, scout.id, 1);
    expect(skipped).toMatchObject({ state: "skipped", skip: "budget" });
    expect(skipped.reason).toContain("Today's budget of 0.00050 USD for all agents together is used up");
    expect(house.model.requests).toEqual([]);
    expect((await house.ask("GET", `/api/agents/${scout.id}/activations?skip=budget`)).json).toHaveLength(1);
  });
});

test("an unreadable limit refuses, and so does one that limits nothing", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  const { json: main } = await house.ask("GET", "/api/agents/main");
  for (const budget of [
    { day: {} },
    { day: { money: -1 } },
    { day: { money: 0.5 } },
    { year: { money: 1 } },
    { atLimit: "go on" },
  ]) {
    const { status, json } = await house.ask("PATCH", `/api/agents/${main.id}`, { content: { budget } });
    expect([budget, status, json.error?.code]).toEqual([budget, 400, "record.invalid"]);
  }
});

test("a person without `x` on the first house is not shown the spending of all agents", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: [] });
  const { json: made } = await house.ask("POST", "/api/houses", { content: { name: "Annex" } });
  const person = { house: made.id, content: { name: "Bea", kind: "human" }, level: "x" };
  const { json: bea } = await house.ask("POST", "/api/agents", person);
  const { json: key } = await house.ask("POST", "/api/keys", { name: "k", agent: bea.id });
  expect((await house.ask("GET", "/api/budget", undefined, key.key)).json.budgets).toEqual([]);
  expect((await house.ask("GET", "/api/budget")).json.budgets).toHaveLength(2);
});
