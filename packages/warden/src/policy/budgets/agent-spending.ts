/**
 * Charges costs of a turn that are not counted in tokens, such as pictures. Like model calls, they
 * count against the limits of the agent, of the turn and its parents, and of all agents together.
 */
import type { BudgetConfig, Store } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import { type ActivationId, type AgentRecord, type Amount, type Clock, type HouseId, noUsage } from "@hearth/protocol";
import type { SpendLedger } from "./budget-ledger.ts";
import {
  accountsOf,
  type Limit,
  limitsOf,
  type CallCost,
  outputTokensLeft,
  type LimitSources,
} from "./budget-limits.ts";
import { periodsAt } from "./budget-periods.ts";
import { describeReachedLimit, type LimitText } from "./limit-texts.ts";
import { payingTurns } from "./paying-turns.ts";
import type { UsageSums } from "./usage-sums.ts";

export interface AgentCost {
  readonly agent: AgentRecord;
  readonly activation: ActivationId;
  /** The maximum cost of the call, in micro-dollars. */
  readonly costAtMost: number;
  /** The model, as `provider/model`. */
  readonly model: string;
}

/**
 * Reserves the maximum cost if it fits every limit. A limit that asks or that names a cheaper model
 * refuses the call, because the call has no cheaper form.
 */
export type AdmitAgentCost = (cost: AgentCost) => Promise<
  /** The maximum cost is reserved, also on disk. Only the first call of `settle` has an effect. */
  { readonly kind: "allowed"; settle(cost: number): void } | ({ readonly kind: "stop" } & LimitText)
>;

export interface AgentSpendingOptions {
  readonly clock: Pick<Clock, "now">;
  readonly records: Pick<Records, "get" | "find">;
  readonly store: Pick<Store, "select">;
  readonly home: HouseId;
  readonly config: () => BudgetConfig;
  readonly ledger: SpendLedger;
  readonly openUsage: UsageSums["open"];
  /** Resolves when the reservation is on disk. */
  readonly flush: () => Promise<void>;
  /** Called after a charge, with the limits that it counts against. */
  readonly onCharged: (limits: readonly Limit[]) => void;
}

const NOTHING: Amount = { tokens: 0, money: 0 };

export const createAgentSpending = (options: AgentSpendingOptions): AdmitAgentCost => {
  const { clock, records, home, config, ledger, openUsage, flush, onCharged } = options;

  const sourcesFor = async ({ house: agentHouse }: AgentRecord): Promise<LimitSources> => {
    const [homeRecord, agentHouseRecord] = await Promise.all([
      records.get("house", home),
      records.get("house", agentHouse),
    ]);
    const at = clock.now();
    const now = {
      home: periodsAt(at, homeRecord.content.timezone),
      agentHouse: periodsAt(at, agentHouseRecord.content.timezone),
    };
    await Promise.all([ledger.open(now.home.month.key), ledger.open(now.agentHouse.month.key)]);
    return { house: config().limits, home, now };
  };

  return async ({ agent, activation, costAtMost, model }) => {
    if (costAtMost === 0) return { kind: "allowed", settle: () => {} };
    const turns = await payingTurns(activation, agent, options);
    const sources = await sourcesFor(agent);
    const sums = await openUsage(sources.now.agentHouse.day.key);
    // There is no `await` between the check and the reservation, so no other call can use the
    // checked amounts.
    const limits = limitsOf(agent, turns, sources);
    const callCost: CallCost = { tokens: { input: 0, perOutput: 0 }, money: { input: costAtMost, perOutput: 0 } };
    const reachedLimit = limits.find((limit) => outputTokensLeft(limit, callCost, ledger, "with-reservations") < 0);
    if (reachedLimit !== undefined)
      return { kind: "stop", ...describeReachedLimit(reachedLimit, callCost, 0, ledger, "the next request") };
    const reservation = ledger.reserve(accountsOf(agent, turns, limits, sources), { tokens: 0, money: costAtMost });
    try {
      await flush();
    } catch (error) {
      reservation.settle(NOTHING);
      throw error;
    }
    let isOpen = true;
    return {
      kind: "allowed",
      settle(money) {
        if (!isOpen) return;
        isOpen = false;
        reservation.settle({ tokens: 0, money });
        const room = turns.at(-1)?.room ?? "";
        sums.add(
          { agent: agent.id, model, room, kind: "picture" },
          { ...NOTHING, money, usage: noUsage, isEstimated: false },
        );
        if (money > 0) onCharged(limits.filter(({ kind }) => kind !== "heartbeat"));
      },
    };
  };
};
