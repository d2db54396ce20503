/**
 * The possible and the actual cost of a call, in tokens and money, over all models that may answer
 * it.
 */
import type { CandidateModel, RequestOutcome } from "../../models/index.ts";
import { type Amount, noUsage, tokensOf, type Usage } from "@hearth/protocol";
import { tokensEstimated } from "./budget-estimate.ts";
import { type Need, NO_NEED } from "./budget-limits.ts";
import { costAtMost, costOf, type Price, type PriceOptions, priceOf, roundUp } from "./prices.ts";

/** A model that may answer, with its price. */
export interface Answerer {
  readonly name: string;
  readonly price: Price;
  /** Not a language model; it has no token counts. */
  readonly isBuiltIn: boolean;
}

/** If no model is known, assume one at the highest price. */
export const toAnswerers = (leaves: readonly CandidateModel[], prices: PriceOptions): readonly Answerer[] =>
  leaves.length === 0
    ? [{ name: "", price: prices.unknown, isBuiltIn: false }]
    : leaves.map((leaf) => ({
        name: leaf.name,
        price: priceOf(leaf, prices),
        isBuiltIn: leaf.runs === "built-in",
      }));

/** The highest need of these models. */
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

/**
 * Failures of calls that did not reach a model or that it rejected. Vendors do not charge for them.
 */
const UNPAID: ReadonlySet<RequestOutcome["end"]> = new Set([
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.refused",
  "provider.context-overflow",
]);

/** Whether a call that failed with this code costs nothing. */
export const isUnpaid = (code: string): boolean => UNPAID.has(code as RequestOutcome["end"]);

/** The amount that a request is booked with. */
export interface Paid extends Amount {
  /** The same tokens by kind. The activity view shows what the budget counts. */
  readonly usage: Usage;
  /** The vendor did not report all of the usage. */
  readonly isEstimated: boolean;
}

/**
 * Books the usage that the vendor reported. Without a report, the tokens are estimated from the
 * request and the answer; if the answer broke off after a report, the rest is estimated from the
 * answer. A request that never reached a model, or that it rejected, costs nothing. An estimate
 * never exceeds the reservation.
 */
export const paidFor = (
  { usage = noUsage, saidBytes, end }: RequestOutcome,
  { answerers, held, inputTokens }: { answerers: readonly Answerer[]; held: Amount; inputTokens: number },
): Paid => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return { ...NOTHING, usage };
  const price = (of: Usage): number => Math.max(...answerers.map((one) => costOf(of, one.price)));
  const vendorUsage = { tokens: tokensOf(usage), money: price(usage) };
  const isReported = vendorUsage.tokens > 0;
  const saidTokens = tokensEstimated(saidBytes);
  if (isReported && (end === "ended" || usage.outputTokens >= saidTokens))
    return { ...vendorUsage, usage, isEstimated: false };
  if (!isReported && saidBytes === 0 && UNPAID.has(end)) return { ...NOTHING, usage };
  const inputEstimate = tokensEstimated(inputTokens);
  const guess = { ...usage, ...(isReported ? {} : { inputTokens: inputEstimate }), outputTokens: saidTokens };
  const money = isReported ? price(guess) : amountOf(needOf(answerers, inputEstimate), saidTokens).money;
  const tokens = Math.max(vendorUsage.tokens, Math.min(held.tokens, tokensOf(guess)));
  const tooMany = tokensOf(guess) - tokens;
  return {
    tokens,
    money: Math.max(vendorUsage.money, Math.min(held.money, money)),
    isEstimated: true,
    usage: { ...guess, outputTokens: guess.outputTokens - tooMany },
  };
};

const NOTHING = { tokens: 0, money: 0, isEstimated: false } as const;
