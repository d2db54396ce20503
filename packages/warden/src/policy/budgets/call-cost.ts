/**
 * Computes the maximum and the actual cost of a call, in tokens and money, over all models that may
 * answer it.
 */
import type { CandidateModel, RequestOutcome } from "../../models/index.ts";
import { type Amount, noUsage, tokensOf, type Usage } from "@hearth/protocol";
import { tokensEstimated } from "./budget-estimate.ts";
import { type CallCost, NO_COST } from "./budget-limits.ts";
import { costAtMost, costOf, type Price, type PriceOptions, priceOf, roundUp } from "./prices.ts";

/** A model that may answer, with its price. */
export interface PricedModel {
  readonly name: string;
  readonly price: Price;
  /**
   * Whether the model is the built-in one, which is not a language model and has no token counts.
   */
  readonly isBuiltIn: boolean;
}

/**
 * Returns the models with their prices. If no model is known, assumes one with the highest price.
 */
export const toPricedModels = (leaves: readonly CandidateModel[], prices: PriceOptions): readonly PricedModel[] =>
  leaves.length === 0
    ? [{ name: "", price: prices.unknown, isBuiltIn: false }]
    : leaves.map((leaf) => ({
        name: leaf.name,
        price: priceOf(leaf, prices),
        isBuiltIn: leaf.location === "built-in",
      }));

/** Returns the maximum cost over these models. */
export const maxCostOf = (answerers: readonly PricedModel[], inputTokens: number): CallCost => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return NO_COST;
  const costs = answerers.map(({ price }) => costAtMost(price, inputTokens));
  return {
    tokens: { input: inputTokens, perOutput: 1 },
    money: {
      input: Math.max(...costs.map(({ input }) => input)),
      perOutput: Math.max(...costs.map(({ perOutput }) => perOutput)),
    },
  };
};

export const amountOf = ({ tokens, money }: CallCost, output: number): Amount => ({
  tokens: tokens.input + output * tokens.perOutput,
  money: roundUp(money.input + output * money.perOutput),
});

/**
 * Failures of requests that did not reach a model, or that a model rejected. Vendors do not charge
 * for them.
 */
const UNPAID_CODES: ReadonlySet<RequestOutcome["end"]> = new Set([
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.refused",
  "provider.context-overflow",
]);

/** Whether a call that failed with this code costs nothing. */
export const isUnpaid = (code: string): boolean => UNPAID_CODES.has(code as RequestOutcome["end"]);

/** The amount for which a request is booked. */
export interface BookedAmount extends Amount {
  /** The same tokens by kind, so that the activity view shows what the budget counts. */
  readonly usage: Usage;
  /** Whether the vendor reported only a part of the usage, or none of it. */
  readonly isEstimated: boolean;
}

/**
 * Books the usage that the vendor reported. Without a report, estimates the tokens from the request
 * and the answer. If the answer broke off after a report, estimates the rest from the answer. A
 * request that never reached a model, or that a model rejected, costs nothing. An estimate never
 * exceeds the reservation.
 */
export const bookRequest = (
  { usage = noUsage, saidBytes, end }: RequestOutcome,
  {
    answerers,
    held: reservation,
    inputTokens,
  }: { answerers: readonly PricedModel[]; held: Amount; inputTokens: number },
): BookedAmount => {
  if (answerers.every(({ isBuiltIn }) => isBuiltIn)) return { ...NOTHING, usage };
  const highestCost = (tokenUsage: Usage): number =>
    Math.max(...answerers.map((model) => costOf(tokenUsage, model.price)));
  const vendorUsage = { tokens: tokensOf(usage), money: highestCost(usage) };
  const isReported = vendorUsage.tokens > 0;
  const answerTokens = tokensEstimated(saidBytes);
  if (isReported && (end === "ended" || usage.outputTokens >= answerTokens))
    return { ...vendorUsage, usage, isEstimated: false };
  if (!isReported && saidBytes === 0 && UNPAID_CODES.has(end)) return { ...NOTHING, usage };
  const estimatedInputTokens = tokensEstimated(inputTokens);
  const estimate = {
    ...usage,
    ...(isReported ? {} : { inputTokens: estimatedInputTokens }),
    outputTokens: answerTokens,
  };
  const money = isReported
    ? highestCost(estimate)
    : amountOf(maxCostOf(answerers, estimatedInputTokens), answerTokens).money;
  const tokens = Math.max(vendorUsage.tokens, Math.min(reservation.tokens, tokensOf(estimate)));
  const excessTokens = tokensOf(estimate) - tokens;
  return {
    tokens,
    money: Math.max(vendorUsage.money, Math.min(reservation.money, money)),
    isEstimated: true,
    usage: { ...estimate, outputTokens: estimate.outputTokens - excessTokens },
  };
};

const NOTHING = { tokens: 0, money: 0, isEstimated: false } as const;
