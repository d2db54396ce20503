/** Texts about exhausted budgets for people and agents. They name the limit and say what to do. */
import { MICRO_DOLLARS, showLimit, type SpendLimit, wallTime } from "@hearth/protocol";
import { periodKeyOf, type Limit, type CallCost } from "./budget-limits.ts";
import { type SpendLedger, TURN } from "./budget-ledger.ts";

export interface LimitText {
  readonly text: string;
  /** Says what the person can do. */
  readonly hint: string;
}

/**
 * Describes a reached limit. `cost` is the cost that the call would have had, `output` the shortest
 * useful answer in tokens, `purpose` the purpose of the call.
 */
export const describeReachedLimit = (
  limit: Limit,
  cost: CallCost,
  output: number,
  ledger: Pick<SpendLedger, "tally">,
  purpose = "another answer",
): LimitText => {
  const { spent } = ledger.tally(limit.scope, periodKeyOf(limit));
  const showInLimitUnits = (amount: SpendLimit): string => showLimit(inUnitsOf(limit.limit, amount));
  const nextCall = {
    money: Math.ceil(cost.money.input + output * cost.money.perOutput),
    tokens: cost.tokens.input + output * cost.tokens.perOutput,
  };
  const name = `${nameOf(limit)} of ${showLimit(limit.limit)} for ${whoseOf(limit)}`;
  const resetText =
    limit.period === TURN
      ? "The next turn has its own budget."
      : `It resets at ${showInstant(limit.period.endsAt, limit.period.zone)}.`;
  return {
    text: `${name} is used up: ${showInLimitUnits(spent)} spent, and ${purpose} may take ${showInLimitUnits(nextCall)}. ${resetText}`,
    hint: hintOf(limit),
  };
};

const inUnitsOf = ({ money, tokens }: SpendLimit, amount: SpendLimit): SpendLimit => ({
  ...(money === undefined || amount.money === undefined ? {} : { money: amount.money }),
  ...(tokens === undefined || amount.tokens === undefined ? {} : { tokens: amount.tokens }),
});

const nameOf = ({ kind, span }: Limit): string =>
  kind === "heartbeat"
    ? "Today's budget for heartbeats"
    : { turn: "The budget", day: "Today's budget", month: "This month's budget" }[span];

const whoseOf = ({ kind, span, agent }: Limit): string => {
  if (agent === undefined || (kind === "house" && span !== "turn")) return "all agents together";
  return span === "turn" ? `one turn of @${agent.handle}` : `@${agent.handle}`;
};

const hintOf = ({ kind, span, agent, limit }: Limit): string => {
  const flag = kind === "heartbeat" ? "heartbeat-budget" : `budget-${span}`;
  const doubledLimit = { money: 2 * (limit.money ?? 0), tokens: 2 * (limit.tokens ?? 0) };
  if (kind === "house" || agent === undefined) {
    const setting =
      limit.money === undefined
        ? `${span}_tokens=${doubledLimit.tokens}`
        : `${span}=${doubledLimit.money / MICRO_DOLLARS}`;
    return `An administrator can raise it in Settings → Limits. Or run hearth config set budget.${setting}`;
  }
  const value = limit.money === undefined ? `${doubledLimit.tokens}t` : String(doubledLimit.money / MICRO_DOLLARS);
  return `Raise it with: hearth agent edit ${agent.handle} --${flag} ${value}`;
};

/** Formats an instant: "2026-11-23 00:00 Europe/Berlin". */
const showInstant = (at: number, zone: string): string => {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  return `${year}-${month}-${day} ${hour}:${minute} ${zone}`;
};
