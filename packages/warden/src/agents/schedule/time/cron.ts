/**
 * Slots of cron expressions in a time zone. croner says which minutes of a wall's clock match; which instants those are is decided here, by
 * Vixie's rule: an expression whose minute or hour begins with `*` goes by the walls, minute by minute; every other one names times
 * of the day, each of which comes once a day, also on days on which the clock is put forward over it or back to before it.
 */
import { Cron } from "croner";
import { HearthError } from "@hearth/protocol";
import type { Zone } from "./zone.ts";

export interface CronSlots {
  /** The first slot after the instant. Nothing: there is none. */
  next(after: number): number | undefined;
}

/** Throws `job.invalid`. */
export const createCronSlots = (expression: string, zone: Zone): CronSlots => {
  const walls = parse(expression);
  const nextWall = (local: number): number | undefined => walls.nextRun(new Date(local))?.getTime();
  return { next: goesByWalls(expression) ? byWalls(nextWall, zone) : byDay(nextWall, zone) };
};

const parse = (expression: string): Cron => {
  const invalid = (message: string, cause?: unknown): HearthError =>
    new HearthError("job.invalid", `"${expression}" is no cron expression: ${message}`, {
      hint: "Five fields: minute, hour, day of the month, month, day of the week. Such as 0 9 * * 1-5",
      cause,
    });
  if (!expression.startsWith("@") && expression.trim().split(/\s+/).length !== 5)
    throw invalid("it takes five fields.");
  try {
    return new Cron(expression, { paused: true, utcOffset: 0 });
  } catch (error) {
    throw invalid(error instanceof Error ? `${error.message.replace(/^\w+: /, "")}.` : String(error), error);
  }
};

const goesByWalls = (expression: string): boolean => {
  if (expression.startsWith("@")) return expression.toLowerCase() === "@hourly";
  const [minute = "", hour = ""] = expression.trim().split(/\s+/);
  return minute.startsWith("*") || hour.startsWith("*");
};

type NextWall = (local: number) => number | undefined;

/** Every instant at which walls show a time that matches. */
const byWalls =
  (nextWall: NextWall, zone: Zone) =>
  (after: number): number | undefined => {
    let from = after;
    for (;;) {
      const { start, end, offset } = zone.at(from + 1);
      const wall = nextWall(Math.max(from, start - 1) + offset);
      if (wall === undefined) return undefined;
      if (wall - offset < end) return wall - offset;
      from = end - 1;
    }
  };

/** Every time of the day once a day. Over a jump forward two times may meet: then they are one slot. */
const byDay =
  (nextWall: NextWall, zone: Zone) =>
  (after: number): number | undefined => {
    let wall = nextWall(zone.toLocal(after) - jumpAround(after, zone));
    let best: number | undefined;
    // Later walls give later instants but for what falls into a jump.
    while (wall !== undefined && (best === undefined || wall <= zone.toLocal(best) + jumpAround(best, zone))) {
      const instant = zone.toInstant(wall);
      if (instant > after && (best === undefined || instant < best)) best = instant;
      wall = nextWall(wall);
    }
    return best;
  };

/** How far a clock may be put forward or back around the instant: a whole day where an island changed its date. */
const jumpAround = (instant: number, zone: Zone): number =>
  Math.max(USUAL_JUMP_MS, Math.abs(zone.at(instant + NEAR_MS).offset - zone.at(instant - NEAR_MS).offset));
const USUAL_JUMP_MS = 3 * 3_600_000;
const NEAR_MS = 26 * 3_600_000;
