/** Formats findings as a table for people and as JSON for programs. */
import { type Figure, type Finding, isMet, isSkipped, type Target } from "./bench.ts";

export interface Named {
  readonly bench: string;
  readonly finding: Finding;
}

const HEADS = ["bench", "what", "figure", "unit", "target", "met", "samples", "note"] as const;
/** Columns that hold numbers. */
const RIGHT: ReadonlySet<string> = new Set(["figure", "samples"]);

export const toTable = (rows: readonly Named[]): string => {
  const cells = [HEADS, ...rows.map(toCells)];
  const widths = HEADS.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        RIGHT.has(HEADS[column] ?? "") ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => "-".repeat(width)).join("  "), ...lines.slice(1)].join("\n");
};

/** The share of the machine, 0 to 1, that other processes used while each bench ran. */
export type Disturbance = ReadonlyMap<string, number>;

export const toDisturbance = (shares: Disturbance): string =>
  [...shares].map(([bench, share]) => `${bench} ${Math.round(share * 100)} %`).join(", ");

export const toJson = (machine: string, rows: readonly Named[], others: Disturbance): string =>
  JSON.stringify(
    {
      machine,
      others: Object.fromEntries(others),
      figures: rows.map(({ bench, finding }) => ({
        bench,
        ...finding,
        ...(isSkipped(finding) || finding.target === undefined ? {} : { met: isMet(finding) }),
      })),
    },
    null,
    2,
  );

/** Number of missed targets. */
export const countMissed = (rows: readonly Named[]): number =>
  rows.filter(({ finding }) => !isSkipped(finding) && !isMet(finding)).length;

const toCells = ({ bench, finding }: Named): readonly string[] => {
  if (isSkipped(finding)) return [bench, finding.what, "", "", "", "skipped", "", finding.skipped];
  const { what, value, unit, target, samples, note } = finding;
  return [bench, what, show(value), unit, showTarget(target), showMet(finding), String(samples), note ?? ""];
};

const showMet = (figure: Figure): string => {
  if (figure.target === undefined) return "";
  return isMet(figure) ? "yes" : "NO";
};

const showTarget = (target: Target | undefined): string => {
  if (target === undefined) return "";
  return "atMost" in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
};

/**
 * Shows about three digits, since further digits are noise. Rounding does not affect whether a
 * target is met.
 */
export const show = (value: number): string => {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.max(1, Math.abs(value))))));
};
