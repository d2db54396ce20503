/** Parses a single instant in everyday English with chrono-node. */
import { parse } from "chrono-node/en";
import type { JobFields } from "../jobs-file.ts";
import { partOf } from "./phrase-clock.ts";
import { createZone } from "./zone.ts";

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const TODAY = /^(?:this (?:morning|afternoon|evening)|today|tonight)\b/i;
/** The default hour, which is the same for daily times. */
const MORNING_HOUR = 9;

type Once = Pick<JobFields, "once">;
type ParsedTime = ReturnType<typeof parse>[number];

/** Returns the instant. The whole phrase must be a time in the future. */
export const readOnce = (phrase: string, now: number, zone: string): Once | undefined => {
  const text = phrase.trim();
  // chrono includes the preposition in some matches and not in others.
  return readWhole(text, now, zone) ?? readWhole(text.replace(/^(?:at|on) /i, ""), now, zone);
};

const readWhole = (text: string, now: number, zone: string): Once | undefined => {
  const { toLocal, toInstant } = createZone(zone);
  // chrono-node gets local time as if it were UTC, so that this machine's zone has no effect.
  const [match, ...otherMatches] = parse(text, { instant: new Date(toLocal(now)), timezone: 0 }, { forwardDate: true });
  if (match === undefined || otherMatches.length > 0 || match.end !== null || match.text.length !== text.length)
    return undefined;
  // A span such as "in 2 hours" is elapsed time. A time of day is local time.
  const isSpan = /^in (?!.* at )/i.test(text);
  if (match.start.isCertain("timezoneOffset") && !/^in /i.test(text)) return undefined;
  const wall = isSpan ? match.start.date().getTime() : localTimeOf(match.start, text, toLocal(now));
  // A time that has passed today does not mean the same time tomorrow.
  if (TODAY.test(text) && dayOf(wall) !== dayOf(toLocal(now))) return undefined;
  const instant = isSpan ? now + (wall - toLocal(now)) : toInstant(wall);
  return instant <= now ? undefined : { once: new Date(instant).toISOString() };
};

const dayOf = (wall: number): number => Math.floor(wall / DAY_MS);

/**
 * Returns the local time. Without an hour, uses the default hour of the named part of the day, or
 * of the morning.
 */
const localTimeOf = (start: ParsedTime["start"], text: string, now: number): number => {
  if (start.isCertain("hour")) return start.date().getTime();
  const hour = hourOf(text) ?? MORNING_HOUR;
  const wall = Date.UTC(start.get("year") ?? 0, (start.get("month") ?? 1) - 1, start.get("day") ?? 1, hour);
  // If the hour on this weekday has passed, the next week is meant.
  return wall <= now && start.isCertain("weekday") && !start.isCertain("day") ? wall + WEEK_MS : wall;
};

const hourOf = (text: string): number | undefined => {
  const [name = ""] = /(morning|afternoon|evening|night)$/i.exec(text) ?? [];
  const part = partOf(name.toLowerCase());
  if (part === undefined) return undefined;
  const defaultHour = Number(part.defaultHour);
  return part.meridiem(defaultHour) === "pm" ? defaultHour + 12 : defaultHour;
};
