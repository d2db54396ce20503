/**
 * Texts and form fields of budgets. Money is entered in dollars and counted in millionths of a
 * dollar. Pure.
 */
import {
  type AgentBudget,
  type Amount,
  type BudgetSpan,
  type BudgetState,
  budgetSpans,
  MICRO_DOLLARS,
  type SpendLimit,
  type UsageReport,
  zeroAmount,
} from "@hearth/protocol";
import { formatNumber } from "../../language/locale.ts";
import { showMoney } from "../../language/text.ts";
import { isModelName } from "../../models/model-name.ts";
import * as texts from "./text.ts";

export const spanWords: Readonly<Record<BudgetSpan, string>> = texts.budgetPeriods;

const formatTokens = (tokens: number): string => texts.tokenCount(tokens, formatNumber(tokens));

export const formatAmount = ({ money, tokens }: Amount): string => `${showMoney(money)}, ${formatTokens(tokens)}`;

/** Describes a limit in each of its units. */
export const describeLimit = ({ money, tokens }: SpendLimit): string =>
  [...(money === undefined ? [] : [showMoney(money)]), ...(tokens === undefined ? [] : [formatTokens(tokens)])].join(
    texts.and,
  );

/** Returns the estimated part of the usage in a day or month, such as "2026-11". */
export const estimatedIn = (usage: UsageReport | undefined, period: string): Amount => {
  const days = (usage?.groups ?? []).flatMap((group) => group.days).filter(({ day }) => day.startsWith(period));
  return days.reduce<Amount>(
    (total, { sum: { estimated } }) => ({
      tokens: total.tokens + estimated.tokens,
      money: total.money + estimated.money,
    }),
    zeroAmount,
  );
};

/** Names the period of a budget: "Today" or "This month". */
export const namePeriod = ({ per }: Pick<BudgetState, "per">): string =>
  per === "day" ? texts.today : texts.thisMonth;

/** Returns a warning if spending is near the limit or has reached it. */
export const describeWarning = ({ isReached, warnings, atLimit }: BudgetState): string | undefined => {
  if (isReached) return `${texts.limitReached} ${describeAtLimit(atLimit)}`;
  const lastWarning = warnings.at(-1);
  return lastWarning === undefined ? undefined : texts.moreThanSpent(lastWarning);
};

export const describeAtLimit = (atLimit: AgentBudget["atLimit"]): string =>
  atLimit === "ask"
    ? texts.agentsAskAtLimit
    : typeof atLimit === "object"
      ? texts.furtherCallsUse(atLimit.cheaper)
      : texts.runsEndWithMessage;

export const limitFields = budgetSpans.flatMap((span) =>
  (["money", "tokens"] as const).map((unit) => ({
    name: `${span}-${unit}` as const,
    span,
    unit,
    label: `${spanWords[span]}, ${texts.budgetUnits[unit]}`,
  })),
);
export type LimitField = (typeof limitFields)[number];
export type BudgetFields = Readonly<Record<LimitField["name"] | "atLimit" | "cheaper", string>>;

/** Returns the form fields of a budget. */
export const fieldsOf = (budget: AgentBudget): BudgetFields => ({
  ...(Object.fromEntries(
    limitFields.map(({ name, span, unit }) => [name, toText(unit, budget[span]?.[unit])]),
  ) as Readonly<Record<LimitField["name"], string>>),
  atLimit: typeof budget.atLimit === "object" ? "cheaper" : (budget.atLimit ?? ""),
  cheaper: typeof budget.atLimit === "object" ? budget.atLimit.cheaper : "",
});

/** Returns the form text of a limit, which is empty without a limit. */
export const toText = (unit: LimitField["unit"], value: number | undefined): string =>
  value === undefined ? "" : String(unit === "money" ? value / MICRO_DOLLARS : value);

/**
 * Parses a number. "2.50" and "2,50" are equal. Returns undefined for a fraction of a millionth of
 * a dollar.
 */
export const toNumber = (unit: LimitField["unit"], text: string): number | undefined => {
  const pattern = unit === "money" ? /^\d{1,9}([.,]\d{1,6})?$/ : /^\d{1,15}$/;
  if (!pattern.test(text)) return undefined;
  return unit === "money" ? Math.round(Number(text.replace(",", ".")) * MICRO_DOLLARS) : Number(text);
};

/** Returns errors by field. */
export const checkBudget = (fields: BudgetFields): { readonly [Name in keyof BudgetFields]?: string } => ({
  ...Object.fromEntries(
    limitFields.flatMap(({ name, unit }) => {
      const text = fields[name].trim();
      if (text === "" || toNumber(unit, text) !== undefined) return [];
      return [[name, unit === "money" ? texts.enterAnAmount : texts.enterAWholeNumber]];
    }),
  ),
  ...(fields.atLimit === "cheaper" && !isModelName(fields.cheaper) ? { cheaper: texts.enterAModel } : {}),
});

/** The budget as a patch of the record. */
export type BudgetPatch = Readonly<Record<string, string | Readonly<Record<string, string | number>>>>;

/**
 * Returns the patch for validated fields. Without limits it is `null`, so that only the limits of
 * the house apply.
 */
export const budgetOf = (fields: BudgetFields): BudgetPatch | null => {
  const spans = budgetSpans.flatMap((span) => {
    const units = limitFields.flatMap((field) => {
      const value = field.span === span ? toNumber(field.unit, fields[field.name].trim()) : undefined;
      return value === undefined ? [] : [[field.unit, value] as const];
    });
    return units.length === 0 ? [] : [[span, Object.fromEntries(units)] as const];
  });
  const atLimit = atLimitOf(fields);
  if (spans.length === 0 && atLimit === undefined) return null;
  return { ...Object.fromEntries(spans), ...(atLimit === undefined ? {} : { atLimit }) };
};

const atLimitOf = ({ atLimit, cheaper }: BudgetFields): BudgetPatch[string] | undefined => {
  if (atLimit === "cheaper") return { cheaper: cheaper.trim() };
  return atLimit === "stop" || atLimit === "ask" ? atLimit : undefined;
};
