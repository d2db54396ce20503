/**
 * What the house asks of a vendor for no agent in particular, such as vectors of what agents remember: it counts among what all agents together
 * spend, and has to fit those limits. It is not made shorter, waits for nothing, and nobody is asked about it.
 */
import type { BudgetConfig } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { CandidateModel } from "../../models/index.ts";
import { type Amount, type Clock, type HouseId, noUsage } from "@hearth/protocol";
import type { SpendLedger } from "./budget-ledger.ts";
import { homeLimits, type Limit, type Need, roomIn } from "./budget-limits.ts";
import { createPeriods } from "./budget-periods.ts";
import { tellReached, type Words } from "./budget-words.ts";
import { costAtMost, costOf, FREE, priceOf, roundUp } from "./prices.ts";

export interface HomeCall {
  readonly leaf: CandidateModel;
  /** More tokens than it can be. */
  readonly inputTokens: number;
}

export type HomeAdmission =
  /** What it takes at most is held back, on the disk too. Tokens that nobody reported are as many as were held back; a second word changes nothing. */
  { readonly kind: "on"; settle(tokens: number | undefined): void } | ({ readonly kind: "stop" } & Words);

export type AdmitHome = (call: HomeCall) => Promise<HomeAdmission>;

export interface HomeSpendingOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Pick<Records, "get">;
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly ledger: SpendLedger;
  /** What is held back is on the disk when it resolves. */
  readonly keep: () => Promise<void>;
  /** Something was spent of these. */
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
    // From here to the holding back nothing is awaited: what was looked at is what is held back.
    const limits = homeLimits(budget, home, now);
    const need: Need = {
      tokens: { input: inputTokens, perOutput: 0 },
      money: { input: costAtMost(price, inputTokens).input, perOutput: 0 },
    };
    const full = limits.find((limit) => roomIn(limit, need, ledger, "held") < 0);
    if (full !== undefined) return { kind: "stop", ...tellReached(full, need, 0, ledger, "what is to be sent next") };
    const most: Amount = { tokens: inputTokens, money: roundUp(need.money.input) };
    const held = ledger.hold([{ scope: home, period: now.day.key }], most);
    try {
      await keep();
    } catch (error) {
      held.settle({ tokens: 0, money: 0 });
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
        held.settle(spent);
        if (spent.tokens > 0) watch(limits);
      },
    };
  };
};
