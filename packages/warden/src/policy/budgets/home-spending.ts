/**
 * Charges costs of the daemon that belong to no agent, such as embeddings for memory. They must fit
 * the limits of all agents together. Such a call is never shortened or queued, and no person is
 * asked to approve it.
 */
import type { BudgetConfig } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { CandidateModel, ChargeGate } from "../../models/index.ts";
import { type Amount, type Clock, type HouseId, noUsage, type UsageKind } from "@hearth/protocol";
import { amountOf, type BookedAmount, bookRequest, maxCostOf, toPricedModels } from "./call-cost.ts";
import type { SpendLedger } from "./budget-ledger.ts";
import { homeLimits, type Limit, type CallCost, outputTokensLeft } from "./budget-limits.ts";
import { periodsAt } from "./budget-periods.ts";
import { describeReachedLimit, type LimitText } from "./limit-texts.ts";
import { costAtMost, costOf, FREE, priceOf, roundUp } from "./prices.ts";
import type { UsageKey, UsageSums } from "./usage-sums.ts";

export interface HomeCall {
  readonly leaf: CandidateModel;
  /** An upper bound of the input tokens. */
  readonly inputTokens: number;
}

export type HomeAdmission =
  /**
   * The maximum cost is reserved, also on disk. If `tokens` is undefined, the whole reservation
   * counts as spent. Only the first call of `settle` has an effect.
   */
  { readonly kind: "allowed"; settle(tokens: number | undefined): void } | ({ readonly kind: "stop" } & LimitText);

export type AdmitHome = (call: HomeCall) => Promise<HomeAdmission>;

/** A call that is not counted in tokens, such as a transcription. */
export interface HomeCost {
  /** The maximum cost in micro-dollars. */
  readonly costAtMost: number;
  /** The model, as `provider/model`. */
  readonly model: string;
  readonly kind: Extract<UsageKind, "voice" | "picture">;
}

export type AdmitHomeCost = (cost: HomeCost) => Promise<
  /** The maximum cost is reserved, also on disk. Only the first call of `settle` has an effect. */
  { readonly kind: "allowed"; settle(cost: number): void } | ({ readonly kind: "stop" } & LimitText)
>;

/** A call of a language model that belongs to no agent, such as the description of a picture. */
export interface HomeModelCall {
  /** An upper bound of the input tokens. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly kind: Extract<UsageKind, "picture">;
}

/** Returns the gate of such a call. It reserves the maximum cost of each request, also on disk. */
export type OpenHomeGate = (call: HomeModelCall) => ChargeGate;

export interface HomeSpending {
  readonly openGate: OpenHomeGate;
  readonly admit: AdmitHome;
  readonly admitCost: AdmitHomeCost;
}

export interface HomeSpendingOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Pick<Records, "get">;
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly ledger: SpendLedger;
  readonly leaves: (models: readonly string[]) => readonly CandidateModel[];
  readonly openUsage: UsageSums["open"];
  /** Resolves when the reservation is on disk. */
  readonly flush: () => Promise<void>;
  /** Called after a charge, with the limits that it counts against. */
  readonly onCharged: (limits: readonly Limit[]) => void;
}

export const createHomeSpending = (options: HomeSpendingOptions): HomeSpending => {
  const { clock, records, home, config, ledger, leaves, openUsage, flush, onCharged } = options;

  /**
   * Reserves the amount, or returns the limit that it does not fit. `settle` takes the amount
   * spent.
   */
  const reserve = async (callCost: CallCost, amount: Amount, usageKey: Pick<UsageKey, "model" | "kind">) => {
    const { content } = await records.get("house", home);
    const now = periodsAt(clock.now(), content.timezone);
    await ledger.open(now.month.key);
    const sums = await openUsage(now.day.key);
    // There is no `await` between the check and the reservation, so no other call can use the
    // checked amounts.
    const limits = homeLimits(config().limits, home, now);
    const reachedLimit = limits.find((limit) => outputTokensLeft(limit, callCost, ledger, "with-reservations") < 0);
    if (reachedLimit !== undefined)
      return { kind: "stop", ...describeReachedLimit(reachedLimit, callCost, 0, ledger, "the next request") } as const;
    const reservation = ledger.reserve([{ scope: home, period: now.day.key }], amount);
    try {
      await flush();
    } catch (error) {
      reservation.settle({ tokens: 0, money: 0 });
      throw error;
    }
    let isOpen = true;
    const settle = (booked: BookedAmount): void => {
      if (!isOpen) return;
      isOpen = false;
      const spent: Amount = { tokens: booked.tokens, money: booked.money };
      reservation.settle(spent);
      sums.add({ agent: "", room: "", ...usageKey }, booked);
      if (spent.tokens > 0 || spent.money > 0) onCharged(limits);
    };
    return { kind: "allowed", settle } as const;
  };

  return {
    async admit({ leaf, inputTokens }) {
      const { prices: configuredPrices, unknownPrice } = config();
      const price = priceOf(leaf, { own: configuredPrices, unknown: unknownPrice });
      if (price === FREE) return { kind: "allowed", settle: () => {} };
      const callCost: CallCost = {
        tokens: { input: inputTokens, perOutput: 0 },
        money: { input: costAtMost(price, inputTokens).input, perOutput: 0 },
      };
      const amount: Amount = { tokens: inputTokens, money: roundUp(callCost.money.input) };
      const reserved = await reserve(callCost, amount, { model: leaf.name, kind: "memory" });
      if (reserved.kind === "stop") return reserved;
      return {
        kind: "allowed",
        settle(tokens) {
          const usage = { ...noUsage, inputTokens: tokens ?? inputTokens };
          reserved.settle(
            tokens === undefined
              ? { ...amount, usage, isEstimated: true }
              : { tokens, money: costOf(usage, price), usage, isEstimated: false },
          );
        },
      };
    },

    openGate: ({ inputTokens, maxOutputTokens, kind }) => ({
      async admit(model) {
        const { prices: configuredPrices, unknownPrice } = config();
        const answerers = toPricedModels(leaves([model]), { own: configuredPrices, unknown: unknownPrice });
        const reservation = amountOf(maxCostOf(answerers, inputTokens), maxOutputTokens);
        const callCost: CallCost = {
          tokens: { input: reservation.tokens, perOutput: 0 },
          money: { input: reservation.money, perOutput: 0 },
        };
        const reserved = await reserve(callCost, reservation, { model, kind });
        if (reserved.kind === "stop") {
          const { text: message, hint } = reserved;
          return { error: { code: "budget.spent", message, ...(hint === undefined ? {} : { hint }) } };
        }
        return {
          maxOutputTokens,
          settle(outcome) {
            const booked = bookRequest(outcome, { answerers, held: reservation, inputTokens });
            reserved.settle(booked);
            return { ...booked.usage, ...(booked.money === 0 ? {} : { cost: booked.money }) };
          },
        };
      },
    }),

    async admitCost({ costAtMost, model, kind }) {
      if (costAtMost === 0) return { kind: "allowed", settle: () => {} };
      const callCost: CallCost = { tokens: { input: 0, perOutput: 0 }, money: { input: costAtMost, perOutput: 0 } };
      const reserved = await reserve(callCost, { tokens: 0, money: costAtMost }, { model, kind });
      if (reserved.kind === "stop") return reserved;
      return {
        kind: "allowed",
        settle: (money) => reserved.settle({ tokens: 0, money, usage: noUsage, isEstimated: false }),
      };
    },
  };
};
