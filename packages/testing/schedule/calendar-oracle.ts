/**
 * Finds the slots of an expression slowly, for tests: checks each UTC minute's local time. It knows
 * the rule for repeated and skipped times, but no offsets, ranges or cron library.
 */

const MINUTE_MS = 60_000;

/**
 * Local times, minute by minute from `start` (UTC milliseconds): each in minutes, as if it were
 * UTC.
 */
export interface LocalTimes {
  readonly start: number;
  readonly minutes: Float64Array;
}

export const localTimesOf = (zone: string, start: number, end: number): LocalTimes => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const shown = new Float64Array((end - start) / MINUTE_MS);
  for (let minute = 0; minute < shown.length; minute += 1) {
    const text = format.format(start + minute * MINUTE_MS);
    shown[minute] = Date.parse(`${text.slice(0, 10)}T${text.slice(11)}Z`) / MINUTE_MS;
  }
  return { start, minutes: shown };
};

/**
 * Returns every slot, in order. A time of day occurs once: the first time if the clock shows it
 * twice; after the gap, by as much as it would be after its start, if the clock skips it.
 */
export const slotsByLocalTime = ({ start, minutes: shown }: LocalTimes, expression: string): readonly number[] => {
  const matches = matcherOf(expression);
  const [minutes = "", hours = ""] = expression.split(" ");
  const found = new Set<number>();
  if (minutes.startsWith("*") || hours.startsWith("*")) {
    for (const [minute, wall] of shown.entries()) if (matches(wall)) found.add(minute);
  } else {
    let top = (shown[0] ?? 0) - 1;
    for (const [minute, wall] of shown.entries()) {
      for (; top < wall; top += 1) {
        // All but the last were skipped by the clock.
        const isShown = top + 1 === wall;
        const at = isShown ? minute : minute - 1 + (top + 1 - (shown[minute - 1] ?? wall));
        if (matches(top + 1)) found.add(at);
      }
    }
  }
  return [...found].sort((a, b) => a - b).map((minute) => start + minute * MINUTE_MS);
};

/**
 * Supports stars, steps of stars, numbers, ranges and lists. If both day fields are set, either
 * matches.
 */
const matcherOf = (expression: string): ((wall: number) => boolean) => {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = expression.split(" ");
  const [minute, hour, day, month, weekday] = [minutes, hours, days, months, weekdays].map(toFieldMatcher);
  const isEither = days !== "*" && weekdays !== "*";
  return (wall) => {
    const date = new Date(wall * MINUTE_MS);
    if (minute?.(date.getUTCMinutes()) !== true || hour?.(date.getUTCHours()) !== true) return false;
    if (month?.(date.getUTCMonth() + 1) !== true) return false;
    const [isDay, isWeekday] = [day?.(date.getUTCDate()) === true, weekday?.(date.getUTCDay()) === true];
    return isEither ? isDay || isWeekday : isDay && isWeekday;
  };
};

const toFieldMatcher = (field: string): ((value: number) => boolean) => {
  if (field === "*") return () => true;
  if (field.startsWith("*/")) return (value) => value % Number(field.slice(2)) === 0;
  const ranges = field.split(",").map((part) => part.split("-").map(Number));
  return (value) => ranges.some(([from = 0, to = from]) => value >= from && value <= to);
};
