/** Parses typed durations and times: `3s`, `500ms`, `2h`; `2026-01-31`, `2026-01-31T08:30`. */
import { UsageError } from "./usage-error.ts";

const UNITS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration. Returns milliseconds. */
export const readDuration = (flag: string, text: string): number => {
  const ms = toMilliseconds(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`${flag} takes a duration, not "${text}".`, "For example: 500ms, 3s, 10min, 2h or 30d");
};

/**
 * Parses a time. Returns UTC milliseconds. A duration counts back from now. A date without a zone
 * is in this machine's zone.
 */
export const readWhen = (flag: string, text: string, now: number): number => {
  const ms = toMilliseconds(text);
  if (ms !== undefined) return Math.max(0, now - ms);
  // Date.parse reads a date without a time as UTC.
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : Number.NaN;
  if (at >= 0) return at;
  throw new UsageError(
    `${flag} takes a duration or a date, not "${text}".`,
    "For example: 2h, 30min, 2026-01-31 or 2026-01-31T08:30",
  );
};

const toMilliseconds = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|min|h|d)$/.exec(text) ?? [];
  if (text === "0") return 0;
  return count === undefined ? undefined : Math.round(Number(count) * UNITS[unit as keyof typeof UNITS]);
};
