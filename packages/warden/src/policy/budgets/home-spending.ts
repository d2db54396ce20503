/**
 * Costs of the daemon that belong to no agent, such as embeddings for memory. They count against
 * the limits of all agents together and have to fit them. Such a call is never shortened, queued or
 * put up for approval.
 */
import type { BudgetConfig } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { CandidateModel } from "../../models/index.ts";
import { type Amount, type Clock, type HouseId, noUsage } from "@hearth/protocol";
import type { SpendLedger } from "./budget-ledger.ts";
import { homeLimits, type Limit, type Need, roomIn } from "./budget-limits.ts";
import { createPeriods } from "./budget-periods.ts";
import { describeReached, type Words } from "./budget-words.ts";
import { costAtMost, costOf, FREE, priceOf, roundUp } from "./prices.ts";

export interface HomeCall {
  readonly leaf: CandidateModel;
  /** An upper bound of the input tokens. */
  readonly inputTokens: number;
}

export type HomeAdmission =
  /**
   * The highest cost is reserved, also on disk. If no tokens are reported, the reservation counts
   * as spent. A second call of `settle` changes nothing.
   */
  { readonly kind: "on"; settle(tokens: number | undefined): void } | ({ readonly kind: "stop" } & Words);

export type AdmitHome = (call: HomeCall) => Promise<HomeAdmission>;

export interface HomeSpendingOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Pick<Records, "get">;
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly ledger: SpendLedger;
  /** Resolves when the reservation is on disk. */
  readonly keep: () => Promise<void>;
  /** Called with the limits that something was spent of. */
  readonly watch: (limits: readonly Limit[]) => void;
}

export const createAdmitHome = (options: HomeSpendingOptions): AdmitHome => {
  const { clock, records, home, config, ledger, keep, watch } = options;
  const periodsOf = createPeriods();
  return async ({ leaf, inputTokens }) => {
    const { prices: own, unknownPrice: unknown, limits: budget } = config();
    const price = priceOf(leaf, { own, unknown });
    if (price === FREE) return { kind: "on", settle: () => {} };
    const { content } = await records.get("house", home);
    const now = periodsOf(clock.now(), content.timezone);
    await ledger.open(now.month.key);
    // No await between the check and the reservation, so the checked amounts are the reserved ones.
    const limits = homeLimits(budget, home, now);
    const need: Need = {
      tokens: { input: inputTokens, perOutput: 0 },
      money: { input: costAtMost(price, inputTokens).input, perOutput: 0 },
    };
    const full = limits.find((limit) => roomIn(limit, need, ledger, "held") < 0);
    if (full !== undefined) return { kind: "stop", ...describeReached(full, need, 0, ledger, "the next request") };
    const most: Amount = { tokens: inputTokens, money: roundUp(need.money.input) };
    const reservation = ledger.hold([{ scope: home, period: now.day.key }], most);
    try {
      await keep();
    } catch (error) {
      reservation.settle({ tokens: 0, money: 0 });
      throw error;
    }
    let isOpen = true;
    return {
      kind: "on",
      settle(tokens) {
        if (!isOpen) return;
        isOpen = false;
        const spent =
          tokens === undefined ? most : { tokens, money: costOf({ ...noUsage, inputTokens: tokens }, price) };
        reservation.settle(spent);
        if (spent.tokens > 0) watch(limits);
      },
    };
  };
};
