/** What a call may take and what it took, in tokens and money, of whichever models may come to answer it. */
import { type Amount, noUsage, tokensOf, type Usage } from "@hearth/protocol";
import type { Leaf } from "../providers/leaves.ts";
import type { Came } from "../providers/toll.ts";
import { type Need, NO_NEED } from "./budget-limits.ts";
import { costAtMost, costOf, type Price, type PriceOptions, priceOf, roundUp } from "./prices.ts";

/** A model that may answer, and what it costs. */
export interface Answerer {
  readonly name: string;
  readonly price: Price;
  /** It is no language model, and counts no tokens. */
  readonly isBuiltIn: boolean;
}

/** Where nobody is known to answer, somebody does at the worst price. */
export const toAnswerers = (leaves: readonly Leaf[], prices: PriceOptions): readonly Answerer[] =>
  leaves.length === 0
    ? [{ name: "", price: prices.unknown, isBuiltIn: false }]
    : leaves.map((leaf) => ({
        name: leaf.name,
        price: priceOf(leaf, prices),
        isBuiltIn: leaf.runs === "built-in",
      }));

/** Of the dearest of them. */
export const needOf = (answerers: readonly Answerer[], inputTokens: number): Need => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return NO_NEED;
  const costs = answerers.map(({ price }) => costAtMost(price, inputTokens));
  return {
    tokens: { input: inputTokens, perOutput: 1 },
    money: {
      input: Math.max(...costs.map(({ input }) => input)),
      perOutput: Math.max(...costs.map(({ perOutput }) => perOutput)),
    },
  };
};

export const amountOf = ({ tokens, money }: Need, output: number): Amount => ({
  tokens: tokens.input + output * tokens.perOutput,
  money: roundUp(money.input + output * money.perOutput),
});

/** Failures of a call that never came to a model, or that it turned away: nobody asks money for them. */
const UNPAID: ReadonlySet<Came["end"]> = new Set([
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.refused",
  "provider.context-overflow",
]);

/** What a request came to, in what its vendor reported. `isEstimated`: some of it nobody told. */
export interface Paid extends Amount {
  readonly isEstimated: boolean;
}

/**
 * What was reported counts. Where nothing was, all that was asked counts and all that came; where the answer broke off, at least as much as came. No
 * guess is higher than what was held back.
 */
export const paidFor = (
  { usage = noUsage, saidBytes, end }: Came,
  { answerers, held, inputTokens }: { answerers: readonly Answerer[]; held: Amount; inputTokens: number },
): Paid => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return NOTHING;
  const price = (of: Usage): number => Math.max(...answerers.map((one) => costOf(of, one.price)));
  const told = { tokens: tokensOf(usage), money: price(usage) };
  const isTold = told.tokens > 0;
  if (isTold && (end === "ended" || usage.outputTokens >= saidBytes)) return { ...told, isEstimated: false };
  if (!isTold && saidBytes === 0 && UNPAID.has(end)) return NOTHING;
  const guess = { ...usage, outputTokens: saidBytes };
  const most = isTold
    ? { tokens: tokensOf(guess), money: price(guess) }
    : amountOf(needOf(answerers, inputTokens), saidBytes);
  return {
    tokens: Math.max(told.tokens, Math.min(held.tokens, most.tokens)),
    money: Math.max(told.money, Math.min(held.money, most.money)),
    isEstimated: true,
  };
};

const NOTHING: Paid = { tokens: 0, money: 0, isEstimated: false };
