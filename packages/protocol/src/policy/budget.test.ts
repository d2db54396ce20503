import { expect, test } from "bun:test";
import { showLimit, showMoney } from "./budget.ts";

test.each([
  [0, "0.00 USD"],
  [1, "0.000001 USD"],
  [12, "0.000012 USD"],
  [1_234, "0.0012 USD"],
  [9_999, "0.0100 USD"],
  [10_000, "0.01 USD"],
  [2_000_000, "2.00 USD"],
  [1_234_567, "1.23 USD"],
])("%d micro-dollars are shown as %s", (money, text) => {
  expect(showMoney(money)).toBe(text);
});

test("a limit is shown with what it limits", () => {
  expect(showLimit({ money: 2_000_000, tokens: 5 })).toBe("2.00 USD and 5 tokens");
  expect(showLimit({ money: 2_000_000 })).toBe("2.00 USD");
  expect(showLimit({ tokens: 0 })).toBe("0 tokens");
});
