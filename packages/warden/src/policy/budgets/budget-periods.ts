/**
 * Determines the current day and month of a time zone, and the start of the next. A day may have 23
 * or 25 hours, or begin at 01:00.
 */
import { wallDay } from "@hearth/protocol";

export interface Period {
  /** The period as `2026-11-22` or `2026-11`. The texts sort by time. */
  readonly key: string;
  /** Start of the next period in UTC milliseconds. */
  readonly endsAt: number;
}

export interface CurrentPeriods {
  readonly zone: string;
  readonly day: Period;
  readonly month: Period;
}

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** Returns the day and the month of an instant in a zone. */
export const periodsAt = (at: number, zone: string): CurrentPeriods => {
  const dayOf = (instant: number): string => wallDay(instant, zone);
  const key = dayOf(at);
  const month = monthOf(key);
  return {
    zone,
    day: { key, endsAt: findFirstMinute(at, 27 * HOUR_MS, (later) => dayOf(later) !== key) },
    month: { key: month, endsAt: findFirstMinute(at, 32 * 24 * HOUR_MS, (later) => monthOf(dayOf(later)) !== month) },
  };
};

export const monthOf = (day: string): string => day.slice(0, "2026-11".length);

/**
 * Returns the first minute after `at`, within `withinMs`, from which `condition` holds. Zones change at
 * whole minutes.
 */
const findFirstMinute = (at: number, withinMs: number, condition: (later: number) => boolean): number => {
  let lowMinute = Math.floor(at / MINUTE_MS);
  let highMinute = lowMinute + Math.ceil(withinMs / MINUTE_MS);
  while (highMinute - lowMinute > 1) {
    const middle = Math.floor((lowMinute + highMinute) / 2);
    if (condition(middle * MINUTE_MS)) highMinute = middle;
    else lowMinute = middle;
  }
  return highMinute * MINUTE_MS;
};
