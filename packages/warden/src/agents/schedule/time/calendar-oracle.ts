/**
 * When an expression is due, found the slow way, for tests: every minute of UTC is asked what walls show in it. It knows the rule for times
 * that are shown twice or never, and nothing of offsets, stretches or the library that reads expressions.
 */

const MINUTE_MS = 60_000;

/** What walls show, minute by minute from `start` on (UTC milliseconds): each as minutes, as if the walls showed UTC. */
export interface Walls {
  readonly start: number;
  readonly shown: Float64Array;
}

export const wallsOf = (zone: string, start: number, end: number): Walls => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const shown = new Float64Array((end - start) / MINUTE_MS);
  for (let minute = 0; minute < shown.length; minute += 1) {
    const text = format.format(start + minute * MINUTE_MS);
    shown[minute] = Date.parse(`${text.slice(0, 10)}T${text.slice(11)}Z`) / MINUTE_MS;
  }
  return { start, shown };
};

/** Every slot, in order. A time of the day comes once: where it is shown twice, the first time; where never, as long after as before. */
export const slotsByWalls = ({ start, shown }: Walls, expression: string): readonly number[] => {
  const matches = matcherOf(expression);
  const [minutes = "", hours = ""] = expression.split(" ");
  const found = new Set<number>();
  if (minutes.startsWith("*") || hours.startsWith("*")) {
    for (const [minute, wall] of shown.entries()) if (matches(wall)) found.add(minute);
  } else {
    let top = (shown[0] ?? 0) - 1;
    for (const [minute, wall] of shown.entries()) {
      for (; top < wall; top += 1) {
        // All but the last of these were jumped over by what came before.
        const isShown = top + 1 === wall;
        const at = isShown ? minute : minute - 1 + (top + 1 - (shown[minute - 1] ?? wall));
        if (matches(top + 1)) found.add(at);
      }
    }
  }
  return [...found].sort((one, other) => one - other).map((minute) => start + minute * MINUTE_MS);
};

/** Stars, steps of stars, numbers, ranges and lists; a day that is told in two ways is either. */
const matcherOf = (expression: string): ((wall: number) => boolean) => {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = expression.split(" ");
  const [minute, hour, day, month, weekday] = [minutes, hours, days, months, weekdays].map(setOf);
  const isEither = days !== "*" && weekdays !== "*";
  return (wall) => {
    const date = new Date(wall * MINUTE_MS);
    if (minute?.(date.getUTCMinutes()) !== true || hour?.(date.getUTCHours()) !== true) return false;
    if (month?.(date.getUTCMonth() + 1) !== true) return false;
    const [isDay, isWeekday] = [day?.(date.getUTCDate()) === true, weekday?.(date.getUTCDay()) === true];
    return isEither ? isDay || isWeekday : isDay && isWeekday;
  };
};

const setOf = (field: string): ((value: number) => boolean) => {
  if (field === "*") return () => true;
  if (field.startsWith("*/")) return (value) => value % Number(field.slice(2)) === 0;
  const ranges = field.split(",").map((part) => part.split("-").map(Number));
  return (value) => ranges.some(([from = 0, to = from]) => value >= from && value <= to);
};
