/** What a call may take and what it took, in tokens and money, of whichever models may come to answer it. */
import type { CandidateModel, RequestOutcome } from "../../models/index.ts";
import { type Amount, noUsage, tokensOf, type Usage } from "@hearth/protocol";
import { tokensEstimated } from "./budget-estimate.ts";
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
export const toAnswerers = (leaves: readonly CandidateModel[], prices: PriceOptions): readonly Answerer[] =>
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
const UNPAID: ReadonlySet<RequestOutcome["end"]> = new Set([
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.refused",
  "provider.context-overflow",
]);

/** What a request is booked as. */
export interface Paid extends Amount {
  /** The same tokens by kind: the activity shows what the budget counts. */
  readonly usage: Usage;
  /** The vendor did not report some of it. */
  readonly isEstimated: boolean;
}

/**
 * Books what the vendor reported. Where it reported nothing, the tokens are estimated from the request that was sent and the answer that came; where
 * the answer broke off after a report, from what came. A request that never reached a model, or that it turned away, costs nothing. An estimate
 * is never more than what was held back.
 */
export const paidFor = (
  { usage = noUsage, saidBytes, end }: RequestOutcome,
  { answerers, held, inputTokens }: { answerers: readonly Answerer[]; held: Amount; inputTokens: number },
): Paid => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return { ...NOTHING, usage };
  const price = (of: Usage): number => Math.max(...answerers.map((one) => costOf(of, one.price)));
  const told = { tokens: tokensOf(usage), money: price(usage) };
  const isTold = told.tokens > 0;
  const saidTokens = tokensEstimated(saidBytes);
  if (isTold && (end === "ended" || usage.outputTokens >= saidTokens)) return { ...told, usage, isEstimated: false };
  if (!isTold && saidBytes === 0 && UNPAID.has(end)) return { ...NOTHING, usage };
  const inputEstimate = tokensEstimated(inputTokens);
  const guess = { ...usage, ...(isTold ? {} : { inputTokens: inputEstimate }), outputTokens: saidTokens };
  const money = isTold ? price(guess) : amountOf(needOf(answerers, inputEstimate), saidTokens).money;
  const tokens = Math.max(told.tokens, Math.min(held.tokens, tokensOf(guess)));
  const tooMany = tokensOf(guess) - tokens;
  return {
    ...{ tokens, money: Math.max(told.money, Math.min(held.money, money)), isEstimated: true },
    usage: { ...guess, outputTokens: guess.outputTokens - tooMany },
  };
};

const NOTHING = { tokens: 0, money: 0, isEstimated: false } as const;
