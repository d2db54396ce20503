/** Form fields and texts of budgets. */
import { expect, test } from "bun:test";
import { type AgentBudget, MICRO_DOLLARS } from "@hearth/protocol";
import {
  budgetOf,
  checkBudget,
  describeAtLimit,
  describeLimit,
  describeWarning,
  fieldsOf,
  formatAmount,
  namePeriod,
  toNumber,
  toText,
} from "./budget-words.ts";

const BUDGETS: readonly AgentBudget[] = [
  {
    turn: { money: 2.5 * MICRO_DOLLARS },
    day: { tokens: 1000 },
    month: { money: MICRO_DOLLARS, tokens: 5 },
    atLimit: "stop",
  },
  { day: { money: 1 }, atLimit: "ask" },
  { month: { tokens: 7 }, atLimit: { cheaper: "openai/small" } },
  { atLimit: "ask" },
];

test("the form of a budget gives the same budget", () => {
  for (const budget of BUDGETS) {
    const fields = fieldsOf(budget);
    expect(checkBudget(fields)).toEqual({});
    expect(budgetOf(fields) as unknown).toEqual(budget);
  }
  expect(fieldsOf(BUDGETS[0] ?? {})["turn-money"]).toBe("2.5");
  expect(budgetOf(fieldsOf({}))).toBeNull();
  expect(budgetOf({ ...fieldsOf({}), atLimit: "cheaper", cheaper: " a/b " })).toEqual({ atLimit: { cheaper: "a/b" } });
});

test("each wrong field has its error", () => {
  const fields = { ...fieldsOf({}), "turn-money": "x", "day-tokens": "1.5", "month-money": " 2,50 " };
  expect(Object.keys(checkBudget(fields))).toEqual(["turn-money", "day-tokens"]);
  expect(checkBudget(fields)["turn-money"]).toContain("amount");
  expect(checkBudget(fields)["day-tokens"]).toContain("whole number");
  expect(checkBudget({ ...fields, atLimit: "cheaper", cheaper: "small" }).cheaper).toContain("provider/model");
  expect(checkBudget({ ...fields, atLimit: "ask", cheaper: "small" })).not.toHaveProperty("cheaper");
});

test.each([
  ["money", "2.50", 2.5 * MICRO_DOLLARS],
  ["money", "2,5", 2.5 * MICRO_DOLLARS],
  ["money", "0.000001", 1],
  ["money", "0.0000001", undefined],
  ["money", "1234567890", undefined],
  ["money", "-1", undefined],
  ["tokens", "12", 12],
  ["tokens", "1.5", undefined],
  ["tokens", "", undefined],
] as const)("%s %p is %p", (unit, text, value) => {
  expect(toNumber(unit, text)).toBe(value);
});

test("a missing limit has an empty field", () => {
  expect([toText("money", undefined), toText("money", MICRO_DOLLARS), toText("tokens", 0)]).toEqual(["", "1", "0"]);
});

test("texts name amounts, limits, periods and warnings", () => {
  expect(formatAmount({ money: MICRO_DOLLARS, tokens: 1 })).toEndWith(", 1 token");
  expect(formatAmount({ money: MICRO_DOLLARS, tokens: 2000 })).toEndWith(", 2,000 tokens");
  expect(describeLimit({ tokens: 2 })).toBe("2 tokens");
  expect(describeLimit({ money: MICRO_DOLLARS, tokens: 2 })).toEndWith(" and 2 tokens");
  expect([namePeriod({ per: "day" }), namePeriod({ per: "month" })]).toEqual(["Today", "This month"]);
  const state = { isReached: false, warnings: [], atLimit: "ask" } as unknown as Parameters<typeof describeWarning>[0];
  expect(describeWarning(state)).toBeUndefined();
  expect(describeWarning({ ...state, warnings: [50, 80] })).toContain("80 %");
  expect(describeWarning({ ...state, isReached: true })).toContain("ask an admin");
  expect(describeAtLimit({ cheaper: "a/b" })).toContain("a/b");
  expect(describeAtLimit("stop")).toContain("end with a message");
});
