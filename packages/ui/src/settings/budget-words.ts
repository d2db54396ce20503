/** Budgets in words and as fields of a form. Money is typed in dollars, and counted in millionths of them. Pure. */
import {
  type AgentBudget,
  type Amount,
  type BudgetSpan,
  type BudgetState,
  budgetSpans,
  DOLLAR,
  showMoney,
  type SpendLimit,
} from "@hearth/protocol";
import { isModelName } from "../models/model-name.ts";

export const spanWords: Readonly<Record<BudgetSpan, string>> = {
  turn: "A single turn",
  day: "A day",
  month: "A month",
};

const count = (tokens: number): string => `${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}`;

export const tellAmount = ({ money, tokens }: Amount): string => `${showMoney(money)}, ${count(tokens)}`;

/** Of what there is a limit for. */
export const tellLimit = ({ money, tokens }: SpendLimit): string =>
  [...(money === undefined ? [] : [showMoney(money)]), ...(tokens === undefined ? [] : [count(tokens)])].join(" and ");

/** "Today", "This month". */
export const namePeriod = ({ per }: Pick<BudgetState, "per">): string => (per === "day" ? "Today" : "This month");

/** What a person should know before it is too late. */
export const tellWarning = ({ isReached, warnings, atLimit }: BudgetState): string | undefined => {
  if (isReached) return `The limit is reached. ${tellAtLimit(atLimit)}`;
  const last = warnings.at(-1);
  return last === undefined ? undefined : `More than ${last} % of the limit is spent.`;
};

export const tellAtLimit = (atLimit: AgentBudget["atLimit"]): string =>
  atLimit === "ask"
    ? "Whoever decides is asked before it goes on."
    : typeof atLimit === "object"
      ? `${atLimit.cheaper} is asked instead.`
      : "Turns end there.";

export const limitFields = budgetSpans.flatMap((span) =>
  (["money", "tokens"] as const).map((unit) => ({
    ...{ name: `${span}-${unit}` as const, span, unit },
    label: `${spanWords[span]}, ${unit === "money" ? "US dollars" : "tokens"}`,
  })),
);
export type LimitField = (typeof limitFields)[number];
export type BudgetFields = Readonly<Record<LimitField["name"] | "atLimit" | "cheaper", string>>;

/** The record as it is typed. */
export const fieldsOf = (budget: AgentBudget): BudgetFields => ({
  ...(Object.fromEntries(
    limitFields.map(({ name, span, unit }) => [name, toText(unit, budget[span]?.[unit])]),
  ) as Readonly<Record<LimitField["name"], string>>),
  atLimit: typeof budget.atLimit === "object" ? "cheaper" : (budget.atLimit ?? ""),
  cheaper: typeof budget.atLimit === "object" ? budget.atLimit.cheaper : "",
});

/** As it is typed; nothing is no limit. */
export const toText = (unit: LimitField["unit"], value: number | undefined): string =>
  value === undefined ? "" : String(unit === "money" ? value / DOLLAR : value);

/** "2.50" and "2,50" are the same; nothing smaller than a millionth of a dollar is counted. */
export const toNumber = (unit: LimitField["unit"], text: string): number | undefined => {
  const pattern = unit === "money" ? /^\d{1,9}([.,]\d{1,6})?$/ : /^\d{1,15}$/;
  if (!pattern.test(text)) return undefined;
  return unit === "money" ? Math.round(Number(text.replace(",", ".")) * DOLLAR) : Number(text);
};

/** What is wrong with the fields, each beside its own. */
export const checkBudget = (fields: BudgetFields): { readonly [Name in keyof BudgetFields]?: string } => ({
  ...Object.fromEntries(
    limitFields.flatMap(({ name, unit }) => {
      const text = fields[name].trim();
      if (text === "" || toNumber(unit, text) !== undefined) return [];
      return [[name, unit === "money" ? "Write an amount, such as 2.50." : "Write a whole number."]];
    }),
  ),
  ...(fields.atLimit === "cheaper" && !isModelName(fields.cheaper)
    ? { cheaper: "Name the model, as provider/model." }
    : {}),
});

/** As a patch of the record takes it. */
export type BudgetPatch = Readonly<Record<string, string | Readonly<Record<string, string | number>>>>;

/** Of fields that were checked. Nothing where nothing is limited: the house's limits hold alone. */
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
