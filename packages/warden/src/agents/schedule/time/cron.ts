/**
 * Finds slots of cron expressions in a time zone. The library croner decides which local minutes
 * match. This file maps them to instants by Vixie's rule. An expression whose minute or hour begins
 * with `*` follows the local clock minute by minute. Any other expression names times of day, each
 * of which occurs once a day, even if the clock skips or repeats it.
 */
import { Cron } from "croner";
import { HearthError } from "@hearth/protocol";
import type { Zone } from "./zone.ts";

export interface CronSlots {
  /** Returns the first slot after the instant, or undefined. */
  next(after: number): number | undefined;
}

/** Creates the slots of an expression. Throws `job.invalid`. */
export const createCronSlots = (expression: string, zone: Zone): CronSlots => {
  const localCron = parse(expression);
  const nextMatch = (local: number): number | undefined => localCron.nextRun(new Date(local))?.getTime();
  return { next: followsLocalClock(expression) ? everyLocalMatch(nextMatch, zone) : oncePerDay(nextMatch, zone) };
};

const parse = (expression: string): Cron => {
  const invalid = (message: string, cause?: unknown): HearthError =>
    new HearthError("job.invalid", `"${expression}" is not a valid cron expression: ${message}`, {
      hint: "Use five fields: minute, hour, day of the month, month, day of the week. For example 0 9 * * 1-5",
      cause,
    });
  if (!expression.startsWith("@") && expression.trim().split(/\s+/).length !== 5)
    throw invalid("it needs five fields.");
  try {
    return new Cron(expression, { paused: true, utcOffset: 0 });
  } catch (error) {
    throw invalid(error instanceof Error ? `${error.message.replace(/^\w+: /, "")}.` : String(error), error);
  }
};

const followsLocalClock = (expression: string): boolean => {
  if (expression.startsWith("@")) return expression.toLowerCase() === "@hourly";
  const [minute = "", hour = ""] = expression.trim().split(/\s+/);
  return minute.startsWith("*") || hour.startsWith("*");
};

type NextLocal = (local: number) => number | undefined;

/** Finds every instant whose local time matches. */
const everyLocalMatch =
  (nextMatch: NextLocal, zone: Zone) =>
  (after: number): number | undefined => {
    let from = after;
    for (;;) {
      const { start, end, offset } = zone.periodAt(from + 1);
      const local = nextMatch(Math.max(from, start - 1) + offset);
      if (local === undefined) return undefined;
      if (local - offset < end) return local - offset;
      from = end - 1;
    }
  };

/** Finds every time of day once a day. Two times that meet after a forward jump are one slot. */
const oncePerDay =
  (nextMatch: NextLocal, zone: Zone) =>
  (after: number): number | undefined => {
    let local = nextMatch(zone.toLocal(after) - jumpAround(after, zone));
    let earliest: number | undefined;
    // A later local time gives a later instant, except within a jump.
    while (
      local !== undefined &&
      (earliest === undefined || local <= zone.toLocal(earliest) + jumpAround(earliest, zone))
    ) {
      const instant = zone.toInstant(local);
      if (instant > after && (earliest === undefined || instant < earliest)) earliest = instant;
      local = nextMatch(local);
    }
    return earliest;
  };

/**
 * Returns how far the clock may jump around the instant. A zone that changed its date jumped by a
 * whole day.
 */
const jumpAround = (instant: number, zone: Zone): number =>
  Math.max(
    USUAL_JUMP_MS,
    Math.abs(zone.periodAt(instant + JUMP_SEARCH_MS).offset - zone.periodAt(instant - JUMP_SEARCH_MS).offset),
  );
const USUAL_JUMP_MS = 3 * 3_600_000;
const JUMP_SEARCH_MS = 26 * 3_600_000;
