/** A time that comes once, in everyday English, as chrono-node reads it. */
import { parse } from "chrono-node/en";
import type { JobFields } from "../jobs-file.ts";
import { partOf } from "./phrase-clock.ts";
import { createZone } from "./zone.ts";

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const TODAY = /^(?:this (?:morning|afternoon|evening)|today|tonight)\b/i;
/** As for what comes every day. */
const MORNING = 9;

type Once = Pick<JobFields, "once">;
type Found = ReturnType<typeof parse>[number];

/** The whole phrase has to be a time, and one that is to come. */
export const readOnce = (phrase: string, now: number, zone: string): Once | undefined => {
  const text = phrase.trim();
  // With some times chrono takes the little word for a part of them, and with some not.
  return readWhole(text, now, zone) ?? readWhole(text.replace(/^(?:at|on) /i, ""), now, zone);
};

const readWhole = (text: string, now: number, zone: string): Once | undefined => {
  const { toLocal, toInstant } = createZone(zone);
  // chrono is given what walls show there as if it were UTC, so nothing of this machine's own zone gets in.
  const [found, ...others] = parse(text, { instant: new Date(toLocal(now)), timezone: 0 }, { forwardDate: true });
  if (found === undefined || others.length > 0 || found.end !== null || found.text.length !== text.length)
    return undefined;
  // A span is the same on every wall; a time of the day is what the wall shows.
  const isSpan = /^in (?!.* at )/i.test(text);
  if (found.start.isCertain("timezoneOffset") && !/^in /i.test(text)) return undefined;
  const wall = isSpan ? found.start.date().getTime() : wallOf(found.start, text, toLocal(now));
  // What is over today is not meant for tomorrow.
  if (TODAY.test(text) && dayOf(wall) !== dayOf(toLocal(now))) return undefined;
  const at = isSpan ? now + (wall - toLocal(now)) : toInstant(wall);
  return at <= now ? undefined : { once: new Date(at).toISOString() };
};

const dayOf = (wall: number): number => Math.floor(wall / DAY_MS);

/** Where no hour is said, that of the part of the day which is named, or of the morning. */
const wallOf = (start: Found["start"], text: string, now: number): number => {
  if (start.isCertain("hour")) return start.date().getTime();
  const hour = hourOf(text) ?? MORNING;
  const wall = Date.UTC(start.get("year") ?? 0, (start.get("month") ?? 1) - 1, start.get("day") ?? 1, hour);
  // This weekday has its hour behind it.
  return wall <= now && start.isCertain("weekday") && !start.isCertain("day") ? wall + WEEK_MS : wall;
};

const hourOf = (text: string): number | undefined => {
  const [name = ""] = /(morning|afternoon|evening|night)$/i.exec(text) ?? [];
  const part = partOf(name.toLowerCase());
  if (part === undefined) return undefined;
  const usual = Number(part.usual);
  return part.half(usual) === "pm" ? usual + 12 : usual;
};
