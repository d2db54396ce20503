/**
 * Budgets: what agents may spend on models, in tokens and in money, and what they have left.
 *
 * Money is in whole micro-dollars: a price in dollars per million tokens is the same number of
 * micro-dollars per token.
 */
import { z } from "zod";
import { AgentId } from "../base/ids.ts";
import { ModelName } from "../agents/model.ts";

/** Micro-dollars per dollar. */
export const MICRO_DOLLARS = 1_000_000;

const Count = z.int().nonnegative();

/** Tokens of every kind, and micro-dollars. */
export const Amount = z.object({ tokens: Count, money: Count });
export type Amount = z.infer<typeof Amount>;
export const zeroAmount: Amount = { tokens: 0, money: 0 };

/** A maximum of tokens, money, or both. An absent field has no limit. */
export const SpendLimit = z
  .strictObject({ tokens: Count.optional(), money: Count.optional() })
  .refine(({ tokens, money }) => tokens !== undefined || money !== undefined, "sets no limit: give tokens or money");
export type SpendLimit = z.infer<typeof SpendLimit>;

/**
 * What happens to a call that exceeds the limit. `stop`: the turn ends with a message. `cheaper`: a
 * cheaper model answers instead. `ask`: the call waits for a person.
 */
export const AtLimit = z.union([z.literal("stop"), z.literal("ask"), z.strictObject({ cheaper: ModelName })]);
export type AtLimit = z.infer<typeof AtLimit>;

/**
 * `turn`: one activation with everything it delegated. Days and months begin in the house's time
 * zone.
 */
export const budgetSpans = ["turn", "day", "month"] as const;
export type BudgetSpan = (typeof budgetSpans)[number];

/** The budget in an agent's record. The house's own limits apply in addition. */
export const AgentBudget = z.strictObject({
  turn: SpendLimit.optional(),
  day: SpendLimit.optional(),
  month: SpendLimit.optional(),
  /** Absent: `stop`. */
  atLimit: AtLimit.optional(),
});
export type AgentBudget = z.infer<typeof AgentBudget>;

/** Percentages of a limit at which people are notified. */
export const WARN_AT = [50, 80, 95] as const;

/** The state of a day's or month's budget, for the whole daemon or for one agent. */
export const BudgetState = z.object({
  scope: z.enum(["house", "agent"]),
  agent: AgentId.optional(),
  per: z.enum(["day", "month"]),
  /** `2026-11-22`, `2026-11`. */
  period: z.string(),
  spent: Amount,
  /** Reserved for calls that are running. */
  reserved: Amount,
  limit: SpendLimit.optional(),
  /** The part of the limit that is neither spent nor reserved. */
  left: SpendLimit.optional(),
  /** The spent part of the limit; the higher one of tokens and money. */
  percent: z.int().nonnegative().optional(),
  /** Which of 50, 80 and 95 percent have been reached. */
  warnings: z.array(z.int()),
  /** Whether a call was refused because of this limit, or the limit is spent. */
  isReached: z.boolean(),
  atLimit: AtLimit.optional(),
  /** UTC milliseconds. */
  resetsAt: z.int(),
});
export type BudgetState = z.infer<typeof BudgetState>;

export const BudgetReport = z.object({
  currency: z.literal("USD"),
  /** The time zone of its days and months. */
  timezone: z.string(),
  budgets: z.array(BudgetState),
  /** The limit of a single turn, for all agents. */
  turn: SpendLimit.optional(),
});
export type BudgetReport = z.infer<typeof BudgetReport>;

/** Formats an amount: "2.00 USD". Amounts under a cent get enough digits to show a nonzero digit. */
export const showMoney = (money: number): string => {
  const dollars = money / MICRO_DOLLARS;
  const digits = money === 0 || money >= MICRO_DOLLARS / 100 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(dollars)));
  return `${dollars.toFixed(digits)} USD`;
};

/** Formats a limit: "2.00 USD and 200000 tokens", or only the unit that is limited. */
export const showLimit = ({ money, tokens }: SpendLimit): string =>
  [...(money === undefined ? [] : [showMoney(money)]), ...(tokens === undefined ? [] : [`${tokens} tokens`])].join(
    " and ",
  );

/**
 * Reasons for a call of a model. `program`: a program in a sandbox called the model. `voice`: speech
 * to text, or text to speech. `memory`: embeddings for memory search.
 */
export const usageKinds = ["turn", "heartbeat", "program", "picture", "voice", "memory"] as const;
export type UsageKind = (typeof usageKinds)[number];

export const usageDimensions = ["day", "agent", "model", "room", "kind"] as const;
export type UsageDimension = (typeof usageDimensions)[number];

/** Maximum number of days of a usage report. */
export const MAX_USAGE_DAYS = 366;
/** Maximum number of groups of a usage report. */
export const MAX_USAGE_GROUPS = 100;

/** A sum of charged calls. */
export const UsageSum = z.object({
  calls: Count,
  inputTokens: Count,
  outputTokens: Count,
  cacheReadTokens: Count,
  cacheWriteTokens: Count,
  /** Micro-dollars. */
  money: Count,
  /** The part of these sums that Hearth estimated, because the provider did not report usage. */
  estimated: Amount,
});
export type UsageSum = z.infer<typeof UsageSum>;

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day such as 2026-11-22");

export const UsageQuery = z.object({
  /** The first day. Default: the first of `days`. */
  from: Day.optional(),
  /** Number of days up to `to`, if `from` is absent. */
  days: z.coerce.number().int().min(1).max(MAX_USAGE_DAYS).default(30),
  /** The last day. Default: today in the time zone of the first house. */
  to: Day.optional(),
  by: z.enum(usageDimensions).default("day"),
  /** Counts only calls of this agent: id or handle. */
  agent: z.string().max(200).optional(),
  /** Counts only calls for this room: id or handle. */
  room: z.string().max(200).optional(),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

/** The usage of one agent, model, room, kind or day. */
export const UsageGroup = z.object({
  /**
   * The id of the agent or room, or the model, kind or day. Absent: calls for no agent or room, and
   * those whose agent or room you may not read.
   */
  of: z.string().optional(),
  /** The name of the agent or room. Absent if it was removed. */
  name: z.string().optional(),
  total: UsageSum,
  /** The days with calls, oldest first. */
  days: z.array(z.object({ day: z.string(), sum: UsageSum })),
});
export type UsageGroup = z.infer<typeof UsageGroup>;

export const UsageReport = z.object({
  currency: z.literal("USD"),
  from: z.string(),
  to: z.string(),
  by: z.enum(usageDimensions),
  total: UsageSum,
  /** The most expensive group first; days in order of time. */
  groups: z.array(UsageGroup),
  /** Number of groups that are counted in `total` only. */
  more: Count,
});
export type UsageReport = z.infer<typeof UsageReport>;
