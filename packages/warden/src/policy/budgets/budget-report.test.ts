import { describe, expect, test } from "bun:test";
import { AT, HOME, makeAgent } from "../../fixtures/budgets.ts";
import type { Tally } from "./budget-ledger.ts";
import type { LimitSources } from "./budget-limits.ts";
import { periodsAt } from "./budget-periods.ts";
import { reportAgents, reportHouse, reportOf } from "./budget-report.ts";

const now = periodsAt(AT, "UTC");
const sources = (house: LimitSources["house"] = {}): LimitSources => ({
  house,
  home: HOME,
  now: { home: now, agentHouse: now },
});
const NONE = { tokens: 0, money: 0 };
const withTally = (tally: Partial<Tally>, isReached = false) => ({
  ledger: { tally: () => ({ spent: NONE, reserved: NONE, ...tally }) },
  isReached: () => isReached,
});
const periodsOf = (budget: Parameters<typeof makeAgent>[1], tally: Partial<Tally>) =>
  reportAgents([{ agent: makeAgent(1, budget), sources: sources() }], withTally(tally)).map(({ per }) => per);

describe("the report of agents", () => {
  test("has each period with a limit, or with something spent or reserved", () => {
    expect(periodsOf({}, {})).toEqual([]);
    expect(periodsOf({ day: { tokens: 9 } }, {})).toEqual(["day"]);
    expect(periodsOf({ month: { tokens: 9 } }, {})).toEqual(["month"]);
    for (const spent of [
      { tokens: 1, money: 0 },
      { tokens: 0, money: 1 },
    ])
      expect(periodsOf({}, { spent })).toEqual(["day", "month"]);
    expect(periodsOf({}, { reserved: { tokens: 1, money: 0 } })).toEqual(["day", "month"]);
  });

  test("has the percentage, what is left and the warnings of a limit", () => {
    const stateAt = (tokens: number, isReached = false) =>
      reportAgents(
        [{ agent: makeAgent(1, { day: { tokens: 100 } }), sources: sources() }],
        withTally({ spent: { tokens, money: 0 } }, isReached),
      )[0];
    for (const [spent, warnings] of [
      [49, []],
      [50, [50]],
      [79, [50]],
      [80, [50, 80]],
      [95, [50, 80, 95]],
    ] as const)
      expect(stateAt(spent)).toMatchObject({ percent: spent, left: { tokens: 100 - spent }, warnings: [...warnings] });
    expect([99, 100, 101].map((spent) => stateAt(spent)?.isReached)).toEqual([false, true, true]);
    expect(stateAt(10, true)?.isReached).toBe(true);
  });

  test("has no limit, no warnings and no end for an agent that has none", () => {
    const [state] = reportAgents(
      [{ agent: makeAgent(1), sources: sources() }],
      withTally({ spent: { tokens: 5, money: 6 } }, true),
    );
    expect(state).toEqual({
      ...{ scope: "agent", agent: makeAgent(1).id, per: "day", period: "2026-11-22", resetsAt: now.day.endsAt },
      ...{ spent: { tokens: 5, money: 6 }, reserved: NONE, warnings: [], isReached: false },
    });
  });
});

test("the report of the house has both periods, and the limits of its config", () => {
  const report = reportHouse(
    sources({ day: { money: 10 }, atLimit: "ask" }),
    withTally({ spent: { tokens: 5, money: 9 } }),
  );
  expect(report).toMatchObject([
    { scope: "house", per: "day", limit: { money: 10 }, atLimit: "ask", percent: 90 },
    { scope: "house", per: "month", isReached: false },
  ]);
  expect("limit" in (report[1] ?? {})).toBe(false);
  expect(reportHouse(sources({ day: { money: 10 } }), withTally({}))[0]?.atLimit).toBe("stop");
  expect(reportOf([], sources({ turn: { tokens: 7 } }))).toEqual({
    ...{ currency: "USD", timezone: "UTC", budgets: [], turn: { tokens: 7 } },
  });
  expect("turn" in reportOf([], sources())).toBe(false);
});
