/** Budgets as text: spent, reserved, limit and remaining. A bar repeats it visually. */
import type { Amount, BudgetState, UsageReport } from "@hearth/protocol";
import { Icon } from "../../design/icon.tsx";
import { locale } from "../../language/locale.ts";
import { estimatedIn, namePeriod, formatAmount, describeLimit, describeWarning } from "./budget-words.ts";
import styles from "./budget.module.css";
import pieces from "../settings.module.css";
import * as texts from "./text.ts";

export interface BudgetRowsProps {
  readonly label: string;
  readonly budgets: readonly BudgetState[];
  /** Time zone of the days and months of the budgets. */
  readonly timezone: string;
  /** The agent's usage, which says what part of the spent amount is estimated. */
  readonly usage?: UsageReport | undefined;
}

export const BudgetRows = ({ label, budgets, timezone, usage }: BudgetRowsProps) => (
  <ul aria-label={label} className={pieces.list}>
    {budgets.map((budget) => (
      <li key={budget.per} className={styles.row}>
        <span className={pieces.name}>{namePeriod(budget)}</span>
        <Bar percent={budget.percent} />
        <dl className={pieces.facts}>
          <Fact name={texts.spent} value={formatAmount(budget.spent)} />
          <EstimatedPart amount={estimatedIn(usage, budget.period)} />
          {budget.reserved.tokens === 0 && budget.reserved.money === 0 ? undefined : (
            <Fact name={texts.reservedForActiveCalls} value={formatAmount(budget.reserved)} />
          )}
          <Fact
            name={texts.limit}
            value={
              budget.limit === undefined
                ? texts.none
                : `${describeLimit(budget.limit)}${budget.percent === undefined ? "" : texts.percentSpent(budget.percent)}`
            }
          />
          {budget.left === undefined ? undefined : <Fact name={texts.remaining} value={describeLimit(budget.left)} />}
          <Fact name={texts.resets} value={describeReset(budget.resetsAt, timezone)} />
        </dl>
        <Warning budget={budget} />
      </li>
    ))}
  </ul>
);

const EstimatedPart = ({ amount }: { readonly amount: Amount }) =>
  amount.tokens === 0 && amount.money === 0 ? undefined : (
    <Fact name={texts.estimatedPart} value={texts.estimatedAmount(formatAmount(amount))} />
  );

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Warning = ({ budget }: { readonly budget: BudgetState }) => {
  const warning = describeWarning(budget);
  return warning === undefined ? undefined : (
    <p className={styles.warning}>
      <Icon name="warning" />
      {warning}
    </p>
  );
};

const Bar = ({ percent }: { readonly percent: number | undefined }) =>
  percent === undefined ? undefined : (
    <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.min(100, percent)} height="1" />
    </svg>
  );

/** Formats the reset time in the time zone of the budget. */
export const describeReset = (at: number, timeZone: string, tag: string = locale): string =>
  `${new Date(at).toLocaleString(tag, { dateStyle: "medium", timeStyle: "short", timeZone })} (${timeZone})`;
