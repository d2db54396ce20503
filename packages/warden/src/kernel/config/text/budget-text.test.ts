/** The tables `[budget]` and `[prices]` of the config file. */
import { describe, expect, test } from "bun:test";
import { BudgetText, PricesText, toBudget, toLimit } from "./budget-text.ts";

const read = (budget: object = {}, prices: object = {}) => toBudget(BudgetText.parse(budget), PricesText.parse(prices));
/** The error of the first wrong value, with its path. */
const refusalOf = (budget: object, prices: object = {}): string | undefined => {
  const [issue] = [BudgetText.safeParse(budget), PricesText.safeParse(prices)].flatMap(
    ({ error }) => error?.issues ?? [],
  );
  return issue === undefined ? undefined : `${issue.path.join(".")} ${issue.message}`;
};

describe("limits", () => {
  test("are in micro-dollars and tokens, and without any, nothing is limited", () => {
    expect(read().limits).toEqual({ atLimit: "stop" });
    expect(read({ day: 2.5, month_tokens: 1_000, turn: 0, turn_tokens: 0 }).limits).toEqual({
      turn: { money: 0, tokens: 0 },
      day: { money: 2_500_000 },
      month: { tokens: 1_000 },
      atLimit: "stop",
    });
    expect(toLimit(undefined, undefined)).toBeUndefined();
    expect(toLimit(0.000_000_4, undefined)).toEqual({ money: 0 });
    expect(toLimit(undefined, 5)).toEqual({ tokens: 5 });
  });

  test.each([
    ["stop", "stop"],
    ["ask", "ask"],
    ["local/llama3.2", { cheaper: "local/llama3.2" }],
  ])("that are reached do %j", (written, expected) => {
    expect(read({ at_limit: written }).limits.atLimit).toEqual(expected as never);
  });
});

describe("prices", () => {
  test("have a default for an unknown model, and cached input costs what input costs", () => {
    const { unknownPrice, prices } = read({}, { "den/": { input: 2, output: 4 } });
    expect(unknownPrice.input).toBeGreaterThan(0);
    expect(unknownPrice).toMatchObject({ cacheRead: unknownPrice.input, cacheWrite: unknownPrice.input });
    expect(prices).toEqual(new Map([["den/", { input: 2, output: 4, cacheRead: 2, cacheWrite: 2 }]]));
  });

  test("are taken as they are written, also 0", () => {
    const price = { input: 2, output: 4, cache_read: 0, cache_write: 3 };
    const expected = { input: 2, output: 4, cacheRead: 0, cacheWrite: 3 };
    const { unknownPrice, prices } = read({ unknown_price: price }, { "den/large": price });
    expect([unknownPrice, prices.get("den/large")]).toEqual([expected, expected]);
  });
});

test.each([
  [{ day: 0 }, {}, undefined],
  [{ day: 1_000_000 }, {}, undefined],
  [{ day: -1 }, {}, "day must be a number of dollars from 0 to 1000000"],
  [{ day: 1_000_001 }, {}, "day must be a number of dollars from 0 to 1000000"],
  [{ day: "5" }, {}, "day must be a number of dollars from 0 to 1000000"],
  [{ day_tokens: 1.5 }, {}, "day_tokens must be a whole number of tokens"],
  [{ day_tokens: -1 }, {}, "day_tokens must be a whole number of tokens"],
  [{ at_limit: "later" }, {}, 'at_limit must be "stop", "ask", or a cheaper model: "provider/model"'],
  [{}, { "den/": { input: 100_000, output: 0 } }, undefined],
  [
    {},
    { "den/": { input: 100_001, output: 0 } },
    "den/.input must be a number of dollars per million tokens, from 0 to 100000",
  ],
])("%j and the prices %j: %j", (budget, prices, refusal) => {
  expect(refusalOf(budget, prices)).toBe(refusal);
});

test.each(["Den", "den", "den large/x", "/m"])(
  "the price of %j is refused, because no model has such a name",
  (name) => {
    expect(refusalOf({}, { [name]: { input: 1, output: 1 } })).toStartWith(name);
  },
);
