/**
 * Models a time zone as ranges of constant offset, and converts between instants and local times.
 */

/**
 * A range of constant offset. From `start` (UTC milliseconds) to the next range's start, local time
 * is UTC plus `offset`.
 */
export interface OffsetPeriod {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** A time zone. Its local times are milliseconds as if the local clock showed UTC. */
export interface Zone {
  readonly name: string;
  /** Returns the range of the instant. */
  periodAt(instant: number): OffsetPeriod;
  toLocal(instant: number): number;
  /**
   * Returns the instant of this local time. If the time occurs twice, returns the first instant.
   * If the clock skips it, returns the instant that the offset before the gap gives.
   */
  toInstant(local: number): number;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/** Maximum offset of a zone from UTC. */
const MAX_OFFSET_MS = 15 * 3_600_000;

/** Whether the IANA name is a known zone. */
export const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** The formatters by zone. A formatter is slow to create and never changes. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 32;

const formatOf = (name: string): Intl.DateTimeFormat => {
  const cachedFormat = formats.get(name);
  if (cachedFormat !== undefined) return cachedFormat;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(name, format);
  return format;
};

/** Returns the offset of local time from UTC at an instant. */
export type OffsetAt = (instant: number) => number;

/**
 * Creates a zone. Throws `RangeError` for an unknown name, so check the name with `isZone` first.
 */
export const createZone = (name: string): Zone => createZoneOf(name, offsetsOf(name));

const offsetsOf = (name: string): OffsetAt => {
  const format = formatOf(name);
  return (instant) => {
    const wholeSecond = Math.floor(instant / SECOND_MS) * SECOND_MS;
    // The method `formatToParts` would take five times as long.
    const [month = 0, day, year = 0, hour, minute, second] = format.format(wholeSecond).split(NON_DIGITS).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
  };
};
const NON_DIGITS = /\D+/;

/** Creates a zone from an offset function. Calls it as rarely as possible, because it is slow. */
export const createZoneOf = (name: string, offsetAt: OffsetAt): Zone => {
  const periods: OffsetPeriod[] = [];

  /**
   * Returns the first second in (from, to] with another offset than `from`. The offsets of `from`
   * and `to` must differ.
   */
  const findChange = (from: number, to: number): number => {
    const offsetBefore = offsetAt(from);
    let [low, high] = [Math.floor(from / SECOND_MS), Math.floor(to / SECOND_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * SECOND_MS) === offsetBefore) low = middle;
      else high = middle;
    }
    return high * SECOND_MS;
  };

  /**
   * Searches a few days, day by day. A range may therefore end early, which does not affect the
   * result.
   */
  const findPeriod = (instant: number): OffsetPeriod => {
    const offset = offsetAt(instant);
    const day = Math.floor(instant / DAY_MS) * DAY_MS;
    let start = day;
    for (let days = 0; days < DAYS_BACK && offsetAt(start) === offset; days += 1) start -= DAY_MS;
    let end = day + DAY_MS;
    for (let days = 0; days < DAYS_FORWARD && offsetAt(end) === offset; days += 1) end += DAY_MS;
    return {
      start: offsetAt(start) === offset ? start : findChange(start, Math.min(start + DAY_MS, instant)),
      end: offsetAt(end) === offset ? end : findChange(Math.max(end - DAY_MS, instant), end),
      offset,
    };
  };

  const cachedPeriodAt = (instant: number): OffsetPeriod | undefined =>
    periods.find(({ start, end }) => start <= instant && instant < end);

  const periodAt = (instant: number): OffsetPeriod => {
    const cachedPeriod = cachedPeriodAt(instant);
    if (cachedPeriod !== undefined) return cachedPeriod;
    const period = findPeriod(instant);
    if (periods.length >= MAX_PERIODS) periods.shift();
    periods.push(period);
    return period;
  };

  return {
    name,
    periodAt,
    toLocal: (instant) => instant + (cachedPeriodAt(instant)?.offset ?? offsetAt(instant)),
    toInstant(local) {
      let period = periodAt(local - MAX_OFFSET_MS);
      for (;;) {
        const instant = local - period.offset;
        if (instant < period.end) return instant;
        const nextPeriod = periodAt(period.end);
        // With the next offset, the time would be before this range began, so the clock skipped it.
        if (local - nextPeriod.offset < nextPeriod.start) return instant;
        period = nextPeriod;
      }
    },
  };
};

/**
 * Number of days before the instant at which a search begins. A schedule asks for days around its
 * current instant, and then for later ones.
 */
const DAYS_BACK = 3;
const DAYS_FORWARD = 30;
/** Maximum number of cached ranges of a zone, for about a year. */
const MAX_PERIODS = 16;
