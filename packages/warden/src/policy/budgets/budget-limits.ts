/**
 * Determines the limits that apply to a call, and the length of the answer for which they leave
 * room.
 */
import type {
  ActivationId,
  AgentBudget,
  AgentRecord,
  AtLimit,
  BudgetSpan,
  HouseId,
  RoomId,
  SpendLimit,
} from "@hearth/protocol";
import { type Account, type SpendLedger, type Tally, TURN } from "./budget-ledger.ts";
import type { CurrentPeriods, Period } from "./budget-periods.ts";

/**
 * A turn that pays for a call: the turn that makes the call, or a turn that requested that turn.
 */
export interface PayingTurn {
  readonly activation: ActivationId;
  readonly agent: AgentRecord;
  /** Undefined if the turn's row is gone. */
  readonly room?: RoomId;
  /** Set for a heartbeat and for turns that a heartbeat requested. */
  readonly isHeartbeat?: true;
}

/**
 * A limit. `house` limits all spending of the daemon, `heartbeat` the spending of one agent's
 * heartbeats.
 */
export interface Limit {
  readonly kind: "house" | "agent" | "heartbeat";
  readonly span: BudgetSpan;
  /**
   * The agent whose record sets the limit or whose turn is limited. Absent if the cost belongs to
   * no agent.
   */
  readonly agent?: AgentRecord;
  readonly scope: string;
  /** The day or month of the limit with its time zone, or the turn. */
  readonly period: (Period & { readonly zone: string }) | typeof TURN;
  readonly limit: SpendLimit;
  readonly atLimit: AtLimit;
}

export interface LimitSources {
  /** The configured budget: per day and month for all agents together, and per turn. */
  readonly house: AgentBudget;
  readonly home: HouseId;
  /** The current periods in the time zone of the first house and in that of the agent. */
  readonly now: { readonly home: CurrentPeriods; readonly agentHouse: CurrentPeriods };
}

const SPANS = ["day", "month"] as const;

/**
 * Returns the limits of an agent and of the house. If several limits are exceeded, the first one is
 * reported.
 */
export const limitsOf = (
  agent: AgentRecord,
  turns: readonly PayingTurn[],
  { house, home, now }: LimitSources,
): readonly Limit[] => {
  const limits: Limit[] = [];
  const addLimit = (
    budget: AgentBudget,
    span: BudgetSpan,
    limitFields: Omit<Limit, "limit" | "atLimit" | "span">,
  ): void => {
    const limit = budget[span];
    if (limit !== undefined) limits.push({ ...limitFields, span, limit, atLimit: budget.atLimit ?? "stop" });
  };
  for (const { activation, agent: payer, isHeartbeat } of turns) {
    const turn = { agent: payer, scope: activation, period: TURN } as const;
    addLimit(payer.content.budget ?? {}, "turn", { kind: "agent", ...turn });
    addLimit(house, "turn", { kind: "house", ...turn });
    if (isHeartbeat === true) limits.push(...heartbeatLimits(payer, now.agentHouse));
  }
  for (const span of SPANS) {
    const toPeriod = ({ zone, ...periods }: CurrentPeriods) => ({ ...periods[span], zone });
    addLimit(agent.content.budget ?? {}, span, {
      kind: "agent",
      agent,
      scope: agent.id,
      period: toPeriod(now.agentHouse),
    });
    addLimit(house, span, { kind: "house", agent, scope: home, period: toPeriod(now.home) });
  }
  return limits;
};

/** Returns the limits of all agents together, for costs that belong to no agent. */
export const homeLimits = (
  budget: AgentBudget,
  home: HouseId,
  { zone, ...periods }: CurrentPeriods,
): readonly Limit[] =>
  SPANS.flatMap((span): readonly Limit[] => {
    const limit = budget[span];
    const account = { scope: home, period: { ...periods[span], zone } } as const;
    return limit === undefined ? [] : [{ kind: "house", span, ...account, limit, atLimit: "stop" }];
  });

/** Returns the daily limit of the agent's heartbeats, from its record. */
export const heartbeatLimits = (agent: AgentRecord, { zone, day }: CurrentPeriods): readonly Limit[] => {
  const limit = agent.content.heartbeat?.budget;
  if (limit === undefined) return [];
  const account = { scope: toHeartbeatScope(agent), period: { ...day, zone } } as const;
  return [{ kind: "heartbeat", span: "day", agent, ...account, limit, atLimit: "stop" }];
};

const toHeartbeatScope = ({ id }: Pick<AgentRecord, "id">): string => `${id} heartbeat`;

/**
 * Returns the accounts to which a call is booked. They include accounts without a limit, because a
 * person may set a limit later that day.
 */
export const accountsOf = (
  agent: AgentRecord,
  payingTurns: readonly PayingTurn[],
  limits: readonly Limit[],
  { home, now }: LimitSources,
): readonly Account[] => {
  const turns = limits.flatMap(({ period, scope }) => (period === TURN ? [scope] : []));
  return [
    { scope: agent.id, period: now.agentHouse.day.key },
    { scope: home, period: now.home.day.key },
    ...[...new Set(turns)].map((scope) => ({ scope, period: TURN })),
    ...payingTurns.flatMap((turn) =>
      turn.isHeartbeat === true ? [{ scope: toHeartbeatScope(turn.agent), period: now.agentHouse.day.key }] : [],
    ),
  ];
};

export const periodKeyOf = ({ period }: Limit): string => (period === TURN ? TURN : period.key);

/** The cost of a call: a fixed amount for its input, and an amount per output token. */
export interface CallCost {
  readonly tokens: { readonly input: number; readonly perOutput: number };
  readonly money: { readonly input: number; readonly perOutput: number };
}

export const NO_COST: CallCost = { tokens: { input: 0, perOutput: 0 }, money: { input: 0, perOutput: 0 } };

const UNITS = ["tokens", "money"] as const;

/**
 * Returns the number of output tokens for which a limit leaves room, or a negative number if the
 * input alone does not fit. `with-reservations` also subtracts the reservations of running calls.
 */
export const outputTokensLeft = (
  limit: Limit,
  cost: CallCost,
  ledger: Pick<SpendLedger, "tally">,
  counting: "with-reservations" | "spent-only",
): number => {
  const { spent, reserved } = ledger.tally(limit.scope, periodKeyOf(limit));
  let outputTokens = Infinity;
  for (const unit of UNITS) {
    const maximum = limit.limit[unit];
    const { input, perOutput } = cost[unit];
    // A call that costs nothing fits any limit.
    if (maximum === undefined || (input === 0 && perOutput === 0)) continue;
    const remaining = maximum - spent[unit] - (counting === "with-reservations" ? reserved[unit] : 0) - input;
    const fittingTokens = remaining < 0 ? -1 : perOutput === 0 ? Infinity : Math.floor(remaining / perOutput);
    outputTokens = Math.min(outputTokens, fittingTokens);
  }
  return outputTokens;
};

/** Returns the percentage spent, rounded down, of the unit of which the largest share is spent. */
export const percentSpent = (limit: SpendLimit, { spent }: Pick<Tally, "spent">): number =>
  Math.max(
    ...UNITS.map((unit) => {
      const maximum = limit[unit];
      return maximum === undefined ? 0 : maximum === 0 ? 100 : Math.floor((100 * spent[unit]) / maximum);
    }),
  );

/** Returns the amount that is neither spent nor reserved. */
export const leftOf = (limit: SpendLimit, { spent, reserved }: Tally): SpendLimit => {
  const remainingOf = (unit: (typeof UNITS)[number]): SpendLimit => {
    const maximum = limit[unit];
    return maximum === undefined ? {} : { [unit]: Math.max(0, maximum - spent[unit] - reserved[unit]) };
  };
  return { ...remainingOf("money"), ...remainingOf("tokens") };
};
