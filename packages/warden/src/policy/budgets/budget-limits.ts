/** Which limits a call has to fit, and how much of an answer they leave room for. */
import type {
  ActivationId,
  AgentBudget,
  AgentRecord,
  AtLimit,
  BudgetSpan,
  HouseId,
  SpendLimit,
} from "@hearth/protocol";
import { type Account, type SpendLedger, type Tally, TURN } from "./budget-ledger.ts";
import type { Now, Period } from "./budget-periods.ts";

/** A turn that pays for a call, and whose it is: the one that makes it, and those that asked for that one. */
export interface PayingTurn {
  readonly activation: ActivationId;
  readonly agent: AgentRecord;
  /** Whether it is a heartbeat, or what one asked of others. */
  readonly isHeartbeat?: true;
}

/** `house`: of everything that the daemon spends. `heartbeat`: of what an agent spends by looking for itself. */
export interface Limit {
  readonly whose: "house" | "agent" | "heartbeat";
  readonly span: BudgetSpan;
  /** Whose record it stands in, or whose turn it is. Absent: what is spent is for no agent. */
  readonly agent?: AgentRecord;
  readonly scope: string;
  /** The day or the month that it is for, and in which zone. */
  readonly period: (Period & { readonly zone: string }) | typeof TURN;
  readonly limit: SpendLimit;
  readonly atLimit: AtLimit;
}

export interface Sources {
  /** Of the config: a day and a month of all agents together, and every turn. */
  readonly house: AgentBudget;
  readonly home: HouseId;
  /** In the zone of the first house, and of the agent's own. */
  readonly now: { readonly home: Now; readonly own: Now };
}

const SPANS = ["day", "month"] as const;

/** The limits of an agent, those that hold for all among them. Whoever meets one of several is told of the first. */
export const limitsOf = (
  agent: AgentRecord,
  turns: readonly PayingTurn[],
  { house, home, now }: Sources,
): readonly Limit[] => {
  const limits: Limit[] = [];
  const put = (budget: AgentBudget, span: BudgetSpan, more: Omit<Limit, "limit" | "atLimit" | "span">): void => {
    const limit = budget[span];
    if (limit !== undefined) limits.push({ ...more, span, limit, atLimit: budget.atLimit ?? "stop" });
  };
  for (const { activation, agent: whose, isHeartbeat } of turns) {
    const turn = { agent: whose, scope: activation, period: TURN } as const;
    put(whose.content.budget ?? {}, "turn", { whose: "agent", ...turn });
    put(house, "turn", { whose: "house", ...turn });
    if (isHeartbeat === true) limits.push(...heartbeatLimits(whose, now.own));
  }
  for (const span of SPANS) {
    const period = ({ zone, ...of }: Now) => ({ ...of[span], zone });
    put(agent.content.budget ?? {}, span, { whose: "agent", agent, scope: agent.id, period: period(now.own) });
    put(house, span, { whose: "house", agent, scope: home, period: period(now.home) });
  }
  return limits;
};

/** Of all agents together, for what none of them asks. */
export const homeLimits = (budget: AgentBudget, home: HouseId, { zone, ...periods }: Now): readonly Limit[] =>
  SPANS.flatMap((span): readonly Limit[] => {
    const limit = budget[span];
    const at = { scope: home, period: { ...periods[span], zone } } as const;
    return limit === undefined ? [] : [{ whose: "house", span, ...at, limit, atLimit: "stop" }];
  });

/** What the record lets the agent's heartbeats spend in a day. */
export const heartbeatLimits = (agent: AgentRecord, { zone, day }: Now): readonly Limit[] => {
  const limit = agent.content.heartbeat?.budget;
  if (limit === undefined) return [];
  const at = { scope: heartbeatScope(agent), period: { ...day, zone } } as const;
  return [{ whose: "heartbeat", span: "day", agent, ...at, limit, atLimit: "stop" }];
};

const heartbeatScope = ({ id }: Pick<AgentRecord, "id">): string => `${id} heartbeat`;

/** Where a call counts: whether anything limits them or not, for a limit may come later the same day. */
export const accountsOf = (
  agent: AgentRecord,
  paying: readonly PayingTurn[],
  limits: readonly Limit[],
  { home, now }: Sources,
): readonly Account[] => {
  const turns = limits.flatMap(({ period, scope }) => (period === TURN ? [scope] : []));
  return [
    { scope: agent.id, period: now.own.day.key },
    { scope: home, period: now.home.day.key },
    ...[...new Set(turns)].map((scope) => ({ scope, period: TURN })),
    ...paying.flatMap((turn) =>
      turn.isHeartbeat === true ? [{ scope: heartbeatScope(turn.agent), period: now.own.day.key }] : [],
    ),
  ];
};

export const keyOf = ({ period }: Limit): string => (period === TURN ? TURN : period.key);

/** What a call takes: at least for what it is given, and for each token of the answer. */
export interface Need {
  readonly tokens: { readonly input: number; readonly perOutput: number };
  readonly money: { readonly input: number; readonly perOutput: number };
}

export const NO_NEED: Need = { tokens: { input: 0, perOutput: 0 }, money: { input: 0, perOutput: 0 } };

const UNITS = ["tokens", "money"] as const;

/** Tokens of an answer for which a limit leaves room; less than 0 where it leaves none for the question. `held`: beside other calls that run. */
export const roomIn = (
  limit: Limit,
  need: Need,
  ledger: Pick<SpendLedger, "tally">,
  held: "held" | "alone",
): number => {
  const { spent, reserved } = ledger.tally(limit.scope, keyOf(limit));
  let room = Infinity;
  for (const unit of UNITS) {
    const most = limit.limit[unit];
    const { input, perOutput } = need[unit];
    // What costs nothing fits any limit.
    if (most === undefined || (input === 0 && perOutput === 0)) continue;
    const left = most - spent[unit] - (held === "held" ? reserved[unit] : 0) - input;
    room = Math.min(room, left < 0 ? -1 : perOutput === 0 ? Infinity : Math.floor(left / perOutput));
  }
  return room;
};

/** In whole percent, what is spent of the unit of which most is. */
export const percentOf = (limit: SpendLimit, { spent }: Pick<Tally, "spent">): number =>
  Math.max(
    ...UNITS.map((unit) => {
      const most = limit[unit];
      return most === undefined ? 0 : most === 0 ? 100 : Math.floor((100 * spent[unit]) / most);
    }),
  );

/** What is neither spent nor held back. */
export const leftOf = (limit: SpendLimit, { spent, reserved }: Tally): SpendLimit => {
  const left = (unit: (typeof UNITS)[number]): SpendLimit => {
    const most = limit[unit];
    return most === undefined ? {} : { [unit]: Math.max(0, most - spent[unit] - reserved[unit]) };
  };
  return { ...left("money"), ...left("tokens") };
};
