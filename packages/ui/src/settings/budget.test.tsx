import { expect, test } from "bun:test";
import { AgentBudget, type BudgetState } from "@hearth/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { fakeMain } from "../house/fake-ui.tsx";
import { textOf } from "../rooms/fake-view.tsx";
import { BudgetRows, tellReset } from "./budget-rows.tsx";
import { budgetOf, checkBudget, fieldsOf, tellWarning } from "./budget-words.ts";

const state = (more: Partial<BudgetState> = {}): BudgetState => ({
  ...{ scope: "agent", agent: fakeMain.id, per: "day", period: "2026-03-04" },
  ...{ spent: { tokens: 1200, money: 1_900_000 }, reserved: { tokens: 10, money: 50_000 } },
  ...{ limit: { money: 2_000_000 }, left: { money: 50_000 }, percent: 95, warnings: [50, 80, 95], isReached: false },
  resetsAt: Date.UTC(2026, 2, 5),
  ...more,
});
const draw = (budget: BudgetState): string =>
  textOf(renderToStaticMarkup(<BudgetRows label="Its own" budgets={[budget]} timezone="UTC" />));

test("a budget says what is spent, held back and left, of what, until when, and warns in words", () => {
  expect(draw(state())).toMatch(
    /^Today Spent 1\.90 USD, 1,200 tokens Held back for calls that run 0\.05 USD, 10 tokens Limit 2\.00 USD, 95 % of it spent Left 0\.05 USD Begins anew .*2026.*\(UTC\) More than 95 % of the limit is spent\.$/,
  );
});

test("without a limit nothing is left of it, and nothing is held back where nothing runs", () => {
  const { limit: _limit, left: _left, percent: _percent, ...free } = state({ reserved: { tokens: 0, money: 0 } });
  const text = draw({ ...free, warnings: [] });
  expect(text).toContain("Limit None");
  for (const gone of ["Left", "Held back", "More than"]) expect(text).not.toContain(gone);
});

test("at the limit it is said what becomes of turns", () => {
  expect(tellWarning(state({ isReached: true }))).toBe("The limit is reached. Turns end there.");
  expect(tellWarning(state({ isReached: true, atLimit: "ask" }))).toContain("Whoever decides is asked");
  expect(tellWarning(state({ isReached: true, atLimit: { cheaper: "p/m" } }))).toContain("p/m is asked instead.");
  expect(tellWarning(state({ warnings: [] }))).toBeUndefined();
});

test("when it begins anew is told by the house's own clock", () => {
  expect(tellReset(Date.UTC(2026, 2, 4, 23), "Europe/Berlin", "en-GB")).toBe("5 Mar 2026, 00:00 (Europe/Berlin)");
});

test("what a form holds becomes the record's budget, and the budget the same form again", () => {
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

test("what is no amount is told beside its field, before anything is sent", () => {
  const wrong = (name: string, text: string): unknown => checkBudget({ ...fieldsOf({}), [name]: text });
  for (const text of ["much", "-1", "1e3", "0.0000001", "1.2.3"])
    expect(wrong("day-money", text)).toEqual({ "day-money": "Write an amount, such as 2.50." });
  for (const text of ["1.5", "many"])
    expect(wrong("turn-tokens", text)).toEqual({ "turn-tokens": "Write a whole number." });
  for (const text of ["", "0", "0.000001", "12,5"]) expect(wrong("day-money", text)).toEqual({});
  expect(wrong("atLimit", "cheaper")).toEqual({ cheaper: "Name the model, as provider/model." });
});
