/** Reports the state of budgets for people. */
import {
  type AgentRecord,
  type AtLimit,
  type BudgetReport,
  type BudgetState,
  type SpendLimit,
  WARN_AT,
} from "@hearth/protocol";
import type { SpendLedger } from "./budget-ledger.ts";
import { leftOf, limitsOf, percentSpent, type LimitSources } from "./budget-limits.ts";
import type { Period } from "./budget-periods.ts";

export interface ReportOptions {
  readonly ledger: Pick<SpendLedger, "tally">;
  /** Whether the limit has refused a call. */
  readonly isReached: (scope: string, period: string, limit: SpendLimit) => boolean;
}

const SPANS = ["day", "month"] as const;

/** Reports the budgets of these agents. Leaves out agents without a limit and without spending. */
export const reportAgents = (
  agents: readonly { readonly agent: AgentRecord; readonly sources: LimitSources }[],
  options: ReportOptions,
): readonly BudgetState[] =>
  agents.flatMap(({ agent, sources }) => {
    const limits = limitsOf(agent, [], sources).filter(({ kind }) => kind === "agent");
    return SPANS.flatMap((span): readonly BudgetState[] => {
      const limit = limits.find((limit) => limit.span === span);
      const owner = { scope: agent.id, state: { scope: "agent", agent: agent.id } } as const;
      const state = stateOf(span, sources.now.agentHouse[span], owner, limit, options);
      const isIdle = Object.values({ ...state.spent, held: state.reserved.tokens }).every((count) => count === 0);
      return limit === undefined && isIdle ? [] : [state];
    });
  });

/** Reports the budget of all agents together. */
export const reportHouse = ({ house, home, now }: LimitSources, options: ReportOptions): readonly BudgetState[] =>
  SPANS.map((span) => {
    const limit = house[span];
    const atLimit = house.atLimit ?? "stop";
    const owner = { scope: home, state: { scope: "house" } } as const;
    return stateOf(span, now.home[span], owner, limit === undefined ? undefined : { limit, atLimit }, options);
  });

export const reportOf = (budgets: readonly BudgetState[], { house, now }: LimitSources): BudgetReport => ({
  currency: "USD",
  timezone: now.home.zone,
  budgets: [...budgets],
  ...(house.turn === undefined ? {} : { turn: house.turn }),
});

const stateOf = (
  span: "day" | "month",
  { key, endsAt }: Period,
  owner: { readonly scope: string; readonly state: Pick<BudgetState, "scope" | "agent"> },
  limitState: { readonly limit: SpendLimit; readonly atLimit: AtLimit } | undefined,
  { ledger, isReached }: ReportOptions,
): BudgetState => {
  const tally = ledger.tally(owner.scope, key);
  const baseFields = { ...owner.state, per: span, period: key, resetsAt: endsAt };
  const counts = { spent: { ...tally.spent }, reserved: { ...tally.reserved } };
  if (limitState === undefined) return { ...baseFields, ...counts, warnings: [], isReached: false };
  const { limit, atLimit } = limitState;
  const percent = percentSpent(limit, tally);
  return {
    ...baseFields,
    ...counts,
    limit,
    atLimit,
    percent,
    left: leftOf(limit, tally),
    warnings: WARN_AT.filter((threshold) => percent >= threshold),
    isReached: percent >= 100 || isReached(owner.scope, key, limit),
  };
};
