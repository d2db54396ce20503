/** Budgets and spending at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { BudgetReport } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const report = (): BudgetReport => ({
  currency: "USD",
  timezone: "UTC",
  turn: { money: 500_000 },
  budgets: [
    {
      scope: "house",
      per: "day",
      period: "2026-11-22",
      resetsAt: 0,
      warnings: [],
      isReached: false,
      spent: { tokens: 1_000, money: 12_340_000 },
      reserved: { tokens: 0, money: 0 },
    },
    {
      ...{
        scope: "agent",
        agent: house.main.id,
        per: "day",
        period: "2026-11-22",
        resetsAt: 0,
        warnings: [50, 80, 95],
      },
      spent: { tokens: 900, money: 1_960_000 },
      reserved: { tokens: 9_000, money: 20_000 },
      isReached: true,
      limit: { money: 2_000_000 },
      left: { money: 20_000 },
      percent: 98,
      atLimit: { cheaper: "local/small" },
    },
  ],
});

test("spending is shown with its limit, the rest and the time of the next reset, and exhausted budgets are named", async () => {
  house.answer("GET /api/budget", report());
  const { out, err } = await hearth("budget");
  const [, ofAll, ofMain] = out.split("\n");
  expect(ofAll).toMatch(/^all agents +today +12\.34 USD +1000 +none *$/);
  expect(ofMain).toMatch(/^@main +today +1\.96 USD +900 +0\.02 USD +2\.00 USD +0\.02 USD +98 % +local\/small$/);
  expect(err).toContain("One turn of any agent may spend 0.50 USD.");
  expect(err).toContain("today's budget of @main is used up, until ");
  expect(JSON.parse((await hearth("budget", "--json")).out)).toEqual(report());
});

test("a bot's budget is changed field by field, and an empty text removes a field", async () => {
  const edit = async (...words: string[]) => {
    const { code, err } = await hearth("agent", "edit", "main", ...words);
    expect([words, code, err]).toEqual([words, 0, ""]);
    const line = house.requests.findLast((request) => request.startsWith("PATCH ")) ?? "";
    return JSON.parse(line.slice(line.indexOf("{"))).content.budget;
  };
  expect(await edit("--budget-day", "2.50")).toEqual({ day: { money: 2_500_000 } });
  expect(await edit("--budget-turn", "0.1,5000t", "--at-limit", "ask")).toEqual({
    day: { money: 2_500_000 },
    turn: { money: 100_000, tokens: 5_000 },
    atLimit: "ask",
  });
  expect((await hearth("agent", "show", "main")).out).toMatch(
    /budget +0\.10 USD and 5000 tokens a turn, 2\.50 USD a day; then ask/,
  );
  expect(await edit("--budget-turn", "", "--at-limit", "local/small")).toEqual({
    day: { money: 2_500_000 },
    atLimit: { cheaper: "local/small" },
  });
  expect(await edit("--budget-day", "", "--at-limit", "")).toBeNull();
});

test("an invalid amount is refused without a request to the house", async () => {
  for (const text of ["two", "-1", "1,2", "5t,6t", "1.5t", "1e9"]) {
    const { code, err } = await hearth("agent", "edit", "main", "--budget-day", text);
    expect([text, code]).toEqual([text, 2]);
    expect(err).toContain(`--budget-day takes dollars, tokens or both, not "${text}".`);
  }
  expect((await hearth("agent", "edit", "main", "--at-limit", "pause")).err).toContain(
    "--at-limit takes stop, ask or a model",
  );
  expect(house.requests.some((line) => line.startsWith("PATCH "))).toBe(false);
});
