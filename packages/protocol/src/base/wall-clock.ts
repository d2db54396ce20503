/**
 * Local times of time zones. Formatters are slow to create and to use, so they and their latest
 * results are cached.
 */

/** Texts such as "Sat", "2026", "11", "21", "09" and "50". Only the year can vary in length. */
export interface WallTime {
  readonly weekday: string;
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
}

interface WallClock {
  readonly format: Intl.DateTimeFormat;
  /** Local times by minutes since 1970. Zone offsets change only at whole minutes. */
  readonly minutes: Map<number, WallTime>;
}

const MAX_ZONES = 32;
/** Maximum number of cached minutes. It is enough for a history, which is formatted again in every turn. */
const MAX_MINUTES = 2000;
const MINUTE_MS = 60_000;

/** All callers share this cache, because the local time of an instant is constant while the process runs. */
const clocks = new Map<string, WallClock>();

/** Returns the local time of an instant in UTC milliseconds. Throws `RangeError` for an unknown zone. */
export const wallTime = (at: number, zone: string): WallTime => {
  const { format, minutes } = clockOf(zone);
  const minute = Math.floor(at / MINUTE_MS);
  const cached = minutes.get(minute);
  if (cached !== undefined) return cached;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = value;
  const { weekday = "", year = "", month = "", day = "", hour = "", minute: minuteText = "" } = parts;
  const time = { weekday, year, month, day, hour, minute: minuteText };
  if (minutes.size >= MAX_MINUTES) minutes.clear();
  minutes.set(minute, time);
  return time;
};

/** Returns the day of an instant in a zone, such as "2026-11-21". */
export const wallDay = (at: number, zone: string): string => {
  const { year, month, day } = wallTime(at, zone);
  return `${year}-${month}-${day}`;
};

/**
 * Whether the local time is at or after `from` and before `to`, both such as "08:00". The range
 * spans midnight if `from` is the later one.
 */
export const isBetween = (
  { from, to }: { readonly from: string; readonly to: string },
  at: number,
  zone: string,
): boolean => {
  const { hour, minute } = wallTime(at, zone);
  const now = `${hour}:${minute}`;
  return from < to ? now >= from && now < to : now >= from || now < to;
};

const clockOf = (zone: string): WallClock => {
  const cachedClock = clocks.get(zone);
  if (cachedClock !== undefined) return cachedClock;
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  if (clocks.size >= MAX_ZONES) clocks.clear();
  const clock: WallClock = { format, minutes: new Map() };
  clocks.set(zone, clock);
  return clock;
};
