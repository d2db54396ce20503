/** Names, series and amounts of a usage report. Pure. */
import {
  MICRO_DOLLARS,
  showMoney,
  tokensOf,
  type UsageGroup,
  type UsageKind,
  type UsageReport,
  type UsageSum,
} from "@hearth/protocol";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "./text.ts";

export const measures = ["cost", "tokens"] as const;
export type Measure = (typeof measures)[number];

/** One colour of the chart. */
export interface Series {
  readonly name: string;
  /** One value per day of the report, in dollars or tokens. */
  readonly values: readonly number[];
}

/** Number of series with their own colour. The last one holds all other groups. */
export const MAX_SERIES = 7;

const DAY_MS = 24 * 60 * 60_000;

/** Returns the days of a report, including those without calls. */
export const daysOf = ({ from, to }: Pick<UsageReport, "from" | "to">): readonly string[] => {
  const start = Date.parse(`${from}T00:00:00Z`);
  const count = (Date.parse(`${to}T00:00:00Z`) - start) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => new Date(start + index * DAY_MS).toISOString().slice(0, 10));
};

export const valueOf = (sum: UsageSum, measure: Measure): number =>
  measure === "cost" ? sum.money / MICRO_DOLLARS : tokensOf(sum);

/** Returns the series of the largest groups, and one for all others. */
export const seriesOf = (
  report: UsageReport,
  measure: Measure,
  nameOf: (group: UsageGroup) => string,
): readonly Series[] => {
  const days = daysOf(report);
  const groups = [...report.groups].sort((a, b) => valueOf(b.total, measure) - valueOf(a.total, measure));
  const isFull = groups.length > MAX_SERIES;
  const namedGroups = isFull ? groups.slice(0, MAX_SERIES - 1) : groups;
  const valuesOf = (group: UsageGroup): readonly number[] => {
    const sums = new Map(group.days.map(({ day, sum }) => [day, valueOf(sum, measure)]));
    return days.map((day) => sums.get(day) ?? 0);
  };
  const series = namedGroups.map((group) => ({ name: nameOf(group), values: valuesOf(group) }));
  if (!isFull) return series;
  const otherValues = groups.slice(namedGroups.length).map(valuesOf);
  const sums = days.map((_, index) => otherValues.reduce((sum, values) => sum + (values[index] ?? 0), 0));
  return [...series, { name: texts.others, values: sums }];
};

/** Returns the name of a group. `roomNames` holds the titles of the rooms that the user has open. */
export const nameOfGroup = (
  { of, name }: UsageGroup,
  by: UsageReport["by"],
  roomNames: ReadonlyMap<string, string>,
): string => {
  switch (by) {
    case "agent":
      return of === undefined ? texts.noAgent : toVisible(name ?? texts.removedAgent);
    case "room":
      return of === undefined ? texts.noRoom : (roomNames.get(of) ?? toVisible(name ?? texts.removedRoom));
    case "kind":
      return texts.kinds[of as UsageKind];
    case "model":
    case "day":
      return toVisible(of ?? "");
  }
};

export const showCount = (count: number): string => count.toLocaleString("en");

/** Formats an axis value or a tooltip value. */
export const showValue = (value: number, measure: Measure): string =>
  measure === "cost" ? showMoney(Math.round(value * MICRO_DOLLARS)) : texts.tokenCount(value, showCount(value));

export const showShort = (value: number, measure: Measure): string =>
  measure === "cost"
    ? `$${value.toLocaleString("en", { maximumFractionDigits: 4 })}`
    : value.toLocaleString("en", { notation: "compact" });

/** Formats the estimated part of a sum. Undefined if nothing is estimated. */
export const showEstimate = ({ estimated: { money, tokens } }: UsageSum): string | undefined => {
  if (money === 0 && tokens === 0) return undefined;
  return [...(money === 0 ? [] : [showMoney(money)]), texts.tokenCount(tokens, showCount(tokens))].join(", ");
};
