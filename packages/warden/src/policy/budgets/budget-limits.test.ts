import { describe, expect, test } from "bun:test";
import type { AgentBudget, SpendLimit } from "@hearth/protocol";
import { agentId, AT, HOME, makeAgent, turnId } from "../../fixtures/budgets.ts";
import { TURN } from "./budget-ledger.ts";
import {
  accountsOf,
  heartbeatLimits,
  homeLimits,
  periodKeyOf,
  leftOf,
  type Limit,
  limitsOf,
  NO_COST,
  percentSpent,
  outputTokensLeft,
  type LimitSources,
} from "./budget-limits.ts";
import { periodsAt } from "./budget-periods.ts";
import { describeReachedLimit } from "./limit-texts.ts";

const now = periodsAt(AT, "UTC");
const sources = (house: AgentBudget): LimitSources => ({ house, home: HOME, now: { home: now, agentHouse: now } });
const tally = (spent: number, reserved = 0) => ({
  spent: { tokens: spent, money: spent },
  reserved: { tokens: reserved, money: reserved },
});
const ledgerWith = (spent: number, reserved = 0) => ({ tally: () => tally(spent, reserved) });
const LIMIT = { tokens: 100 };
const limitOf = (limit: SpendLimit, over: Partial<Limit> = {}): Limit => ({
  ...{ kind: "agent", span: "day", agent: makeAgent(1), scope: agentId(1), period: { ...now.day, zone: "UTC" } },
  ...{ limit, atLimit: "stop", ...over },
});
const namesOf = (limits: readonly Limit[]): readonly string[] =>
  limits.map((limit) => {
    const atLimit = typeof limit.atLimit === "string" ? limit.atLimit : JSON.stringify(limit.atLimit);
    return [limit.kind, limit.span, limit.scope, periodKeyOf(limit), atLimit].join(" ");
  });

describe("the limits of a call", () => {
  test("are those of its turns first, then of its agent and of the house, by day and month", () => {
    const agent = makeAgent(1, { turn: LIMIT, day: LIMIT, month: LIMIT, atLimit: "ask" });
    const turns = [{ activation: turnId(1), agent }];
    expect(namesOf(limitsOf(agent, turns, sources({ turn: LIMIT, day: LIMIT, month: LIMIT })))).toEqual([
      `agent turn ${turnId(1)} turn ask`,
      `house turn ${turnId(1)} turn stop`,
      `agent day ${agent.id} 2026-11-22 ask`,
      `house day ${HOME} 2026-11-22 stop`,
      `agent month ${agent.id} 2026-11 ask`,
      `house month ${HOME} 2026-11 stop`,
    ]);
    expect(limitsOf(makeAgent(1), [{ activation: turnId(1), agent: makeAgent(1) }], sources({}))).toEqual([]);
  });

  test("of a heartbeat include the agent's budget for heartbeats", () => {
    const agent = makeAgent(1);
    const beating = { ...agent, content: { ...agent.content, heartbeat: { budget: LIMIT } } } as never;
    const turn = { activation: turnId(1), agent: beating };
    const name = `heartbeat day ${agent.id} heartbeat 2026-11-22 stop`;
    expect(namesOf(limitsOf(agent, [{ ...turn, isHeartbeat: true }], sources({})))).toEqual([name]);
    expect(namesOf(heartbeatLimits(beating, now))).toEqual([name]);
    expect([limitsOf(agent, [turn], sources({})), heartbeatLimits(agent, now)]).toEqual([[], []]);
  });

  test("of all agents together are those of the house's day and month", () => {
    expect(namesOf(homeLimits({ turn: LIMIT, month: LIMIT, atLimit: "ask" }, HOME, now))).toEqual([
      `house month ${HOME} 2026-11 stop`,
    ]);
  });
});

test("a call is booked to its agent, to the house, and once to each limited turn", () => {
  const agent = makeAgent(1);
  const limits = [1, 1, 2].map((index) => limitOf(LIMIT, { scope: turnId(index), span: "turn", period: TURN }));
  const paying = [
    { activation: turnId(1), agent, isHeartbeat: true as const },
    { activation: turnId(2), agent: makeAgent(2) },
  ];
  expect(accountsOf(agent, paying, [...limits, limitOf(LIMIT)], sources({}))).toEqual([
    { scope: agent.id, period: "2026-11-22" },
    { scope: HOME, period: "2026-11-22" },
    { scope: turnId(1), period: TURN },
    { scope: turnId(2), period: TURN },
    { scope: `${agent.id} heartbeat`, period: "2026-11-22" },
  ]);
});

describe("the room in a limit", () => {
  const need = { tokens: { input: 10, perOutput: 1 }, money: { input: 10, perOutput: 2 } };

  test("is what is left after the input, by the cost of an output token", () => {
    expect(outputTokensLeft(limitOf({ tokens: 100 }), need, ledgerWith(50), "spent-only")).toBe(40);
    expect(outputTokensLeft(limitOf({ money: 100 }), need, ledgerWith(49), "spent-only")).toBe(20);
    expect(outputTokensLeft(limitOf({ tokens: 100, money: 100 }), need, ledgerWith(50), "spent-only")).toBe(20);
    expect(outputTokensLeft(limitOf({}), need, ledgerWith(50), "spent-only")).toBe(Infinity);
  });

  test("is smaller by the reservations of running calls", () => {
    expect(outputTokensLeft(limitOf({ tokens: 100 }), need, ledgerWith(50, 30), "with-reservations")).toBe(10);
    expect(outputTokensLeft(limitOf({ tokens: 100 }), need, ledgerWith(50, 30), "spent-only")).toBe(40);
  });

  test("leaves no tokens for an answer if the input uses it up, and negative if the input does not fit", () => {
    expect(outputTokensLeft(limitOf({ tokens: 100 }), need, ledgerWith(90), "spent-only")).toBe(0);
    expect(outputTokensLeft(limitOf({ tokens: 100 }), need, ledgerWith(91), "spent-only")).toBe(-1);
    const free = { ...need, tokens: { input: 10, perOutput: 0 } };
    expect(outputTokensLeft(limitOf({ tokens: 100 }), free, ledgerWith(90), "spent-only")).toBe(Infinity);
    expect(outputTokensLeft(limitOf({ tokens: 100 }), free, ledgerWith(91), "spent-only")).toBe(-1);
  });

  test("is unlimited for a call that costs nothing, also above the limit", () => {
    expect(outputTokensLeft(limitOf({ tokens: 100, money: 100 }), NO_COST, ledgerWith(500), "with-reservations")).toBe(
      Infinity,
    );
    const onlyOutput = { ...NO_COST, tokens: { input: 0, perOutput: 1 } };
    expect(outputTokensLeft(limitOf({ tokens: 100 }), onlyOutput, ledgerWith(40), "with-reservations")).toBe(60);
    const onlyInput = { ...NO_COST, tokens: { input: 1, perOutput: 0 } };
    expect(outputTokensLeft(limitOf({ tokens: 100 }), onlyInput, ledgerWith(100), "with-reservations")).toBe(-1);
  });
});

test("the percentage spent is that of the unit that is spent most, rounded down", () => {
  const spent = { spent: { tokens: 299, money: 1 } };
  expect(percentSpent({ tokens: 300 }, spent)).toBe(99);
  expect(percentSpent({ tokens: 300, money: 1 }, spent)).toBe(100);
  expect(percentSpent({ money: 2 }, spent)).toBe(50);
  expect([percentSpent({}, spent), percentSpent({ money: 0 }, { spent: { tokens: 0, money: 0 } })]).toEqual([0, 100]);
});

test("the amount left is what is neither spent nor reserved, of the limited units", () => {
  expect(leftOf({ tokens: 100, money: 50 }, tally(20, 5))).toEqual({ tokens: 75, money: 25 });
  expect(leftOf({ tokens: 10 }, tally(20, 5))).toEqual({ tokens: 0 });
  expect(leftOf({}, tally(20))).toEqual({});
});

describe("the text about a reached limit", () => {
  const need = { tokens: { input: 10, perOutput: 1 }, money: { input: 2_000_000, perOutput: 0.5 } };
  const words = (limit: Limit, next?: string) => describeReachedLimit(limit, need, 20, ledgerWith(90), next);
  const agent = makeAgent(7);

  test("has the amount spent, the cost of another answer, and the time of the reset", () => {
    expect(words(limitOf({ tokens: 100 }, { agent })).text).toBe(
      "Today's budget of 100 tokens for @a7 is used up: 90 tokens spent, and another answer may take 30 tokens. It resets at 2026-11-23 00:00 UTC.",
    );
    expect(words(limitOf({ money: 3_000_000 }, { agent }), "the next request").text).toContain(
      "and the next request may take 2.00 USD.",
    );
  });

  test.each([
    ["agent", "turn", "The budget of 100 tokens for one turn of @a7", "--budget-turn 200t"],
    ["agent", "day", "Today's budget of 100 tokens for @a7", "--budget-day 200t"],
    ["agent", "month", "This month's budget of 100 tokens for @a7", "--budget-month 200t"],
    ["heartbeat", "day", "Today's budget for heartbeats of 100 tokens for @a7", "--heartbeat-budget 200t"],
    ["house", "turn", "The budget of 100 tokens for one turn of @a7", "budget.turn_tokens=200"],
    ["house", "day", "Today's budget of 100 tokens for all agents together", "budget.day_tokens=200"],
    ["house", "month", "This month's budget of 100 tokens for all agents together", "budget.month_tokens=200"],
  ] as const)("names the %s's limit per %s, and how to raise it", (kind, span, name, how) => {
    const period = span === "turn" ? TURN : { ...now[span], zone: "UTC" };
    const { text, hint } = words(limitOf({ tokens: 100 }, { kind, span, agent, period }));
    expect(text).toStartWith(`${name} is used up`);
    expect(text).toEndWith(span === "turn" ? "The next turn has its own budget." : " UTC.");
    expect(hint).toContain(how);
  });

  test("raises an amount of money in dollars, and that of no agent in the config", () => {
    expect(words(limitOf({ money: 3_000_000 }, { agent })).hint).toBe(
      "Raise it with: hearth agent edit a7 --budget-day 6",
    );
    const { agent: _agent, ...home } = limitOf({ money: 3_000_000 }, { kind: "house" });
    expect([words(home).text, words(home).hint]).toEqual([
      expect.stringContaining("for all agents together"),
      expect.stringContaining("hearth config set budget.day=6"),
    ]);
  });
});
