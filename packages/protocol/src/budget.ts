/**
 * What agents may spend on models, in tokens and in money, and how much of it they have. Money is counted in micro-dollars, whole
 * ones: a price of so many dollars a million tokens is as many micro-dollars a token.
 */
import { z } from "zod";
import { AgentId } from "./ids.ts";
import { ModelName } from "./model.ts";

/** Micro-dollars of a dollar. */
export const DOLLAR = 1_000_000;

const Count = z.int().nonnegative();

/** Tokens of every kind, and micro-dollars. */
export const Amount = z.object({ tokens: Count, money: Count });
export type Amount = z.infer<typeof Amount>;
export const nothing: Amount = { tokens: 0, money: 0 };

/** At most so much of either. What is left out has no limit. */
export const SpendLimit = z
  .strictObject({ tokens: Count.optional(), money: Count.optional() })
  .refine(({ tokens, money }) => tokens !== undefined || money !== undefined, "limits nothing: give tokens or money");
export type SpendLimit = z.infer<typeof SpendLimit>;

/**
 * What becomes of a call that does not fit any more: the turn ends in words, a model that costs less is asked in place of its own, or it
 * waits for a person.
 */
export const AtLimit = z.union([z.literal("stop"), z.literal("ask"), z.strictObject({ cheaper: ModelName })]);
export type AtLimit = z.infer<typeof AtLimit>;

/** `turn`: one activation with all that it asked of others. The house's time zone says where days and months begin. */
export const budgetSpans = ["turn", "day", "month"] as const;
export type BudgetSpan = (typeof budgetSpans)[number];

/** What stands in an agent's record. The house's own limits hold beside it. */
export const AgentBudget = z.strictObject({
  turn: SpendLimit.optional(),
  day: SpendLimit.optional(),
  month: SpendLimit.optional(),
  /** Absent: `stop`. */
  atLimit: AtLimit.optional(),
});
export type AgentBudget = z.infer<typeof AgentBudget>;

/** Parts of a limit, in percent, at which people are told. */
export const WARN_AT = [50, 80, 95] as const;

/** How a day or a month stands: of everything that the daemon spends, or of one agent. */
export const BudgetState = z.object({
  scope: z.enum(["house", "agent"]),
  agent: AgentId.optional(),
  per: z.enum(["day", "month"]),
  /** `2026-11-22`, `2026-11`. */
  period: z.string(),
  spent: Amount,
  /** Held back for calls that run at the moment. */
  reserved: Amount,
  limit: SpendLimit.optional(),
  /** Of the limit, what is neither spent nor held back. */
  left: SpendLimit.optional(),
  /** Of the limit's unit of which most is spent. */
  percent: z.int().nonnegative().optional(),
  /** Of 50, 80 and 95, those that are reached. */
  warnings: z.array(z.int()),
  /** Whether a call was turned away for it, or the limit is spent. */
  isReached: z.boolean(),
  atLimit: AtLimit.optional(),
  /** UTC milliseconds. */
  resetsAt: z.int(),
});
export type BudgetState = z.infer<typeof BudgetState>;

export const BudgetReport = z.object({
  currency: z.literal("USD"),
  /** The zone of its days and months. */
  timezone: z.string(),
  budgets: z.array(BudgetState),
  /** What a single turn may spend, whoever's it is. */
  turn: SpendLimit.optional(),
});
export type BudgetReport = z.infer<typeof BudgetReport>;

/** "2.00 USD"; what is less than a cent with as many digits as it takes to see it. */
export const showMoney = (money: number): string => {
  const dollars = money / DOLLAR;
  const digits = money === 0 || money >= DOLLAR / 100 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(dollars)));
  return `${dollars.toFixed(digits)} USD`;
};

/** "2.00 USD and 200000 tokens", of whichever there is. */
export const showLimit = ({ money, tokens }: SpendLimit): string =>
  [...(money === undefined ? [] : [showMoney(money)]), ...(tokens === undefined ? [] : [`${tokens} tokens`])].join(
    " and ",
  );
