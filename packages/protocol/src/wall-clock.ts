/** What a clock on a wall of a zone shows. A formatter is costly to make and slow to ask, so both it and its last answers are kept. */

/** Texts of fixed length, but for the year: "Sat", "2026", "11", "21", "09", "50". */
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
  /** By minutes since 1970: zones change at whole ones. */
  readonly minutes: Map<number, WallTime>;
}

const MAX_ZONES = 32;
/** A history is written out anew for every turn. */
const MAX_MINUTES = 2000;
const MINUTE_MS = 60_000;

/** The same for whoever asks: what a zone shows at an instant never changes while a program runs. */
const clocks = new Map<string, WallClock>();

/** Of an instant in UTC milliseconds. Throws `RangeError` for a zone that is none. */
export const wallTime = (at: number, zone: string): WallTime => {
  const { format, minutes } = clockOf(zone);
  const minute = Math.floor(at / MINUTE_MS);
  const kept = minutes.get(minute);
  if (kept !== undefined) return kept;
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(at)) shown[type] = value;
  const { weekday = "", year = "", month = "", day = "", hour = "", minute: minuteText = "" } = shown;
  const time = { weekday, year, month, day, hour, minute: minuteText };
  if (minutes.size >= MAX_MINUTES) minutes.clear();
  minutes.set(minute, time);
  return time;
};

/** "2026-11-21": the day of an instant in a zone. */
export const wallDay = (at: number, zone: string): string => {
  const { year, month, day } = wallTime(at, zone);
  return `${year}-${month}-${day}`;
};

/** Whether the clock shows a time from `from` to before `to`, both as "08:00": over midnight where `from` is the later one. */
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
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone: zone, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
    ...{ weekday: "short", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  });
  if (clocks.size >= MAX_ZONES) clocks.clear();
  const clock: WallClock = { format, minutes: new Map() };
  clocks.set(zone, clock);
  return clock;
};
