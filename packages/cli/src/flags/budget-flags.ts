/** Flags for a bot's spending limits, and the text that describes them. */
import {
  type AgentBudget,
  type AtLimit,
  type BudgetSpan,
  budgetSpans,
  MICRO_DOLLARS,
  ModelName,
  showLimit,
  type SpendLimit,
} from "@hearth/protocol";
import type { FlagValues, Flags } from "../command.ts";
import { UsageError } from "../args/usage-error.ts";

export const budgetFlags = {
  "budget-turn": {
    kind: "text",
    value: "AMOUNT",
    summary: "limit per turn: 0.50, or 50000t for tokens",
  },
  "budget-day": {
    kind: "text",
    value: "AMOUNT",
    summary: "limit per day: 2.50, 500000t, or 2.50,500000t",
  },
  "budget-month": { kind: "text", value: "AMOUNT", summary: "limit per month" },
  "at-limit": {
    kind: "text",
    value: "WHAT",
    summary: "at the limit: stop, ask, or PROVIDER/MODEL to switch to a cheaper model",
  },
} as const satisfies Flags;

const flagNames = Object.keys(budgetFlags) as readonly (keyof typeof budgetFlags)[];

/**
 * Returns the current budget with the given changes. An empty text removes a limit. The result
 * `null` removes the budget.
 */
export const changeBudget = (
  flags: FlagValues<typeof budgetFlags>,
  currentBudget: AgentBudget = {},
): { readonly budget?: AgentBudget | null } => {
  if (flagNames.every((name) => flags[name] === undefined)) return {};
  const budget: { -readonly [Name in keyof AgentBudget]: AgentBudget[Name] } = { ...currentBudget };
  for (const span of budgetSpans) {
    const text = flags[`budget-${span}`];
    if (text === "") delete budget[span];
    else if (text !== undefined) budget[span] = toLimit(`--budget-${span}`, text);
  }
  const atLimitText = flags["at-limit"];
  if (atLimitText === "") delete budget.atLimit;
  else if (atLimitText !== undefined) budget.atLimit = toAtLimit(atLimitText);
  return { budget: Object.keys(budget).length === 0 ? null : budget };
};

export const toLimit = (flag: string, text: string): SpendLimit => {
  const limit: { money?: number; tokens?: number } = {};
  for (const part of text.split(",").map((word) => word.trim())) {
    const [, dollars, tokens] = /^(?:(\d+(?:\.\d+)?)|(\d+)t)$/.exec(part) ?? [];
    if (dollars !== undefined && limit.money === undefined) limit.money = Math.round(Number(dollars) * MICRO_DOLLARS);
    else if (tokens !== undefined && limit.tokens === undefined) limit.tokens = Number(tokens);
    else
      throw new UsageError(
        `${flag} takes dollars, tokens or both, not "${text}".`,
        `For example: ${flag} 2.50, ${flag} 500000t, or ${flag} 2.50,500000t. An empty text removes the limit.`,
      );
  }
  return limit;
};

const toAtLimit = (text: string): AtLimit => {
  if (text === "stop" || text === "ask") return text;
  if (ModelName.safeParse(text).success) return { cheaper: text };
  throw new UsageError(
    `--at-limit takes stop, ask or a model, not "${text}".`,
    "For example: --at-limit local/llama3.2",
  );
};

/**
 * Describes a budget, for example "2.50 USD a day, 500000 tokens a month; then stop". Returns
 * undefined without limits.
 */
export const describeBudget = (budget: AgentBudget | undefined): string | undefined => {
  const limits = budgetSpans.flatMap((span) => {
    const limit = budget?.[span];
    return limit === undefined ? [] : [`${showLimit(limit)} ${spanWords[span]}`];
  });
  return limits.length === 0 ? undefined : `${limits.join(", ")}; then ${describeAtLimit(budget?.atLimit ?? "stop")}`;
};

const spanWords: Readonly<Record<BudgetSpan, string>> = { turn: "a turn", day: "a day", month: "a month" };

export const describeAtLimit = (atLimit: AtLimit): string => (typeof atLimit === "string" ? atLimit : atLimit.cheaper);
