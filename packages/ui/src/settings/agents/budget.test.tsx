import { expect, test } from "bun:test";
import { AgentBudget, type BudgetState } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { fakeMain } from "../../house/fake-ui.tsx";
import { textOf } from "../../rooms/fake-view.tsx";
import { BudgetRows, describeReset } from "./budget-rows.tsx";
import { budgetOf, checkBudget, fieldsOf, describeWarning } from "./budget-words.ts";

const state = (more: Partial<BudgetState> = {}): BudgetState => ({
  scope: "agent",
  agent: fakeMain.id,
  per: "day",
  period: "2026-03-04",
  spent: { tokens: 1200, money: 1_900_000 },
  reserved: { tokens: 10, money: 50_000 },
  limit: { money: 2_000_000 },
  left: { money: 50_000 },
  percent: 95,
  warnings: [50, 80, 95],
  isReached: false,
  resetsAt: Date.UTC(2026, 2, 5),
  ...more,
});
const draw = (budget: BudgetState): string =>
  textOf(renderToStaticMarkup(<BudgetRows label="Agent" budgets={[budget]} timezone="UTC" />));

test("a budget shows spending, reservation, remainder, limit and reset time, and warns", () => {
  expect(draw(state())).toMatch(
    /^Today Spent 1\.90 USD, 1,200 tokens Reserved for active calls 0\.05 USD, 10 tokens Limit 2\.00 USD, 95 % spent Remaining 0\.05 USD Resets .*2026.*\(UTC\) More than 95 % of the limit is spent\.$/,
  );
});

test("a budget names the part of its spending that is estimated in its period", () => {
  const sum = { calls: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, money: 9 };
  const dayOf = (day: string, tokens: number) => ({ day, sum: { ...sum, estimated: { tokens, money: 20_000 } } });
  const days = [dayOf("2026-02-28", 1), dayOf("2026-03-01", 30), dayOf("2026-03-04", 500)];
  const total = { ...sum, estimated: { tokens: 531, money: 60_000 } };
  const usage = { currency: "USD", from: "2026-02-28", to: "2026-03-04", by: "day", total, more: 0 } as const;
  const draws = (budget: BudgetState) =>
    textOf(
      renderToStaticMarkup(
        <BudgetRows label="A" budgets={[budget]} timezone="UTC" usage={{ ...usage, groups: [{ total, days }] }} />,
      ),
    );
  expect(draws(state())).toContain("Of which estimated 0.02 USD, 500 tokens.");
  expect(draws(state({ per: "month", period: "2026-03" }))).toContain("Of which estimated 0.04 USD, 530 tokens.");
  expect(draw(state())).not.toContain("estimated");
});

test("a budget without a limit shows no remainder, and no reservation while no call runs", () => {
  const { limit: _limit, left: _left, percent: _percent, ...free } = state({ reserved: { tokens: 0, money: 0 } });
  const text = draw({ ...free, warnings: [] });
  expect(text).toContain("Limit None");
  for (const gone of ["Remaining", "Reserved", "More than"]) expect(text).not.toContain(gone);
});

test("at the limit the text says what happens to runs", () => {
  expect(describeWarning(state({ isReached: true }))).toBe("Limit reached. Runs end with a message.");
  expect(describeWarning(state({ isReached: true, atLimit: "ask" }))).toContain("Agents ask an admin");
  expect(describeWarning(state({ isReached: true, atLimit: { cheaper: "p/m" } }))).toContain("Further calls use p/m.");
  expect(describeWarning(state({ warnings: [] }))).toBeUndefined();
});

test("the reset time is shown in the time zone of the house", () => {
  expect(describeReset(Date.UTC(2026, 2, 4, 23), "Europe/Berlin", "en-GB")).toBe("5 Mar 2026, 00:00 (Europe/Berlin)");
});

test("form fields convert to a budget record and back", () => {
  const fields = {
    ...fieldsOf({}),
    "day-money": " 2,50 ",
    "month-tokens": "1000000",
    atLimit: "cheaper",
    cheaper: "p/m",
  };
  const budget = budgetOf(fields);
  expect(budget).toEqual({ day: { money: 2_500_000 }, month: { tokens: 1_000_000 }, atLimit: { cheaper: "p/m" } });
  const parsed = AgentBudget.parse(budget);
  expect(budgetOf(fieldsOf(parsed))).toEqual(budget);
  expect(fieldsOf(parsed)["day-money"]).toBe("2.5");
  expect(budgetOf(fieldsOf({}))).toBeNull();
  expect(budgetOf({ ...fieldsOf({}), atLimit: "ask" })).toEqual({ atLimit: "ask" });
});

test("an invalid amount shows an error beside its field, before anything is sent", () => {
  const wrong = (name: string, text: string): unknown => checkBudget({ ...fieldsOf({}), [name]: text });
  for (const text of ["much", "-1", "1e3", "0.0000001", "1.2.3"])
    expect(wrong("day-money", text)).toEqual({ "day-money": "Enter an amount, such as 2.50." });
  for (const text of ["1.5", "many"])
    expect(wrong("turn-tokens", text)).toEqual({ "turn-tokens": "Enter a whole number." });
  for (const text of ["", "0", "0.000001", "12,5"]) expect(wrong("day-money", text)).toEqual({});
  expect(wrong("atLimit", "cheaper")).toEqual({ cheaper: "Enter a model in the format provider/model." });
});
