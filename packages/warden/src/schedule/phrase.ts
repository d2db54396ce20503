/**
 * Times in everyday English. What comes again and again is a small grammar of our own, below; what comes once is read by chrono-node. What
 * neither understands is refused, never guessed.
 *
 *     every INTERVAL                    every 15 minutes, every 2 hours, every hour
 *     every DAYS [at TIME]              every day at 9, every weekday at 17:30, every monday and thursday at 8am
 *     every PART [at TIME]              every morning, every morning at nine, every evening at 8
 *     every month on the N [at TIME]    every month on the 1st at noon
 *     daily | hourly | weekly [at TIME]
 */
import { parse } from "chrono-node/en";
import { HearthError } from "@hearth/protocol";
import type { JobFields } from "./jobs-file.ts";
import { createZone } from "./zone.ts";

export type PhraseTimes = Pick<JobFields, "cron" | "every" | "once">;

/** Throws `job.invalid`. */
export const readPhrase = (phrase: string, now: number, zone: string): PhraseTimes => {
  const words = phrase.trim().toLowerCase().replace(/,/g, " and ").replace(/\s+/g, " ");
  const found = /^(every|each|daily|hourly|weekly)\b/.test(words) ? readAgain(words) : readOnce(phrase, now, zone);
  if (found !== undefined) return found;
  throw new HearthError("job.invalid", `"${phrase}" is no time that is understood.`, {
    hint: 'Such as "every weekday at 9", "every 15 minutes", "in 20 minutes", "tomorrow at 18:00"; or --cron, --every, --once',
  });
};

const UNITS: Readonly<Record<string, string>> = { second: "s", minute: "m", min: "m", hour: "h" };
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
/** A time of the day where none is said. */
const MORNING = "9";

interface Part {
  /** Where no time is said. */
  readonly usual: string;
  readonly half: "am" | "pm";
  /** Hours that it has: at any other one it is not. */
  readonly hours: readonly [number, number];
}

const PARTS: ReadonlyMap<string, Part> = new Map([
  ["morning", { usual: MORNING, half: "am", hours: [4, 11] }],
  ["afternoon", { usual: "3", half: "pm", hours: [12, 18] }],
  ["evening", { usual: "6", half: "pm", hours: [16, 23] }],
]);
const HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const readAgain = (words: string): PhraseTimes | undefined => {
  if (words === "hourly" || words === "every hour" || words === "each hour") return { every: "1h" };
  const [, count = "1", unit = ""] =
    /^(?:every|each) (?:(\d{1,4}) )?(second|minute|min|hour|day|week)s?$/.exec(words) ?? [];
  if (UNITS[unit] !== undefined) return { every: `${count}${UNITS[unit]}` };
  if (unit !== "" && count !== "1") return { every: `${count}${unit.slice(0, 1)}` };

  const [, every = words, clock] = /^(.*?) at (.+)$/.exec(words) ?? [];
  const days = every.replace(/^(every|each) /, "");
  const part = PARTS.get(days);
  const time = readTime(clock ?? part?.usual ?? MORNING, part);
  const on = time === undefined ? undefined : daysOf(part === undefined ? days : "day");
  return time === undefined || on === undefined ? undefined : { cron: `${time} ${on}` };
};

/** Day of the month, month and day of the week, of a cron expression. */
const daysOf = (words: string): string | undefined => {
  if (words === "day" || words === "daily") return "* * *";
  if (words === "weekday" || words === "workday") return "* * 1-5";
  if (words === "weekend") return "* * 0,6";
  if (words === "week" || words === "weekly") return "* * 1";
  const [, date] = /^month(?: on the (\d{1,2})(?:st|nd|rd|th)?)?$/.exec(words) ?? [];
  if (words === "month" || (date !== undefined && Number(date) >= 1 && Number(date) <= 31))
    return `${Number(date ?? 1)} * *`;
  const days = words.split(/ and (?:and )?/).map((word) => DAYS.findIndex((day) => isDay(word, day)));
  return days.includes(-1) ? undefined : `* * ${[...new Set(days)].sort((one, other) => one - other).join(",")}`;
};

const isDay = (word: string, day: string): boolean => word === day || word === `${day}s` || word === day.slice(0, 3);

/** Minute and hour, of a cron expression; in that part of the day, if one is named. */
const readTime = (said: string, part?: Part): string | undefined => {
  const text = HOURS.includes(said) ? String(HOURS.indexOf(said) + 1) : said;
  if (text === "noon" || text === "midnight") return part === undefined ? `0 ${text === "noon" ? 12 : 0}` : undefined;
  const [, hours, minutes = "0", own] = /^(\d{1,2})(?:[:.](\d\d))?(?: ?(am|pm))?$/.exec(text) ?? [];
  const half = own ?? (Number(hours) >= 1 && Number(hours) <= 12 ? part?.half : undefined);
  if (hours === undefined || Number(minutes) > 59 || Number(hours) > (half === undefined ? 23 : 12)) return undefined;
  if (half !== undefined && Number(hours) === 0) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  const [from, to] = part?.hours ?? [0, 23];
  return hour < from || hour > to ? undefined : `${Number(minutes)} ${hour}`;
};

/** The whole phrase has to be a time, and one that is to come. */
const readOnce = (phrase: string, now: number, zone: string): PhraseTimes | undefined => {
  const text = phrase.trim();
  const { toLocal, toInstant } = createZone(zone);
  // chrono is given what walls show there as if it were UTC, so nothing of this machine's own zone gets in.
  const [found, ...others] = parse(text, { instant: new Date(toLocal(now)), timezone: 0 }, { forwardDate: true });
  if (found === undefined || others.length > 0 || found.end !== null || found.text.length !== text.length)
    return undefined;
  if (found.start.isCertain("timezoneOffset") && !/^in /i.test(text)) return undefined;
  const wall = found.start.date().getTime();
  // A span is the same on every wall; a time of the day is what the wall shows.
  const at = /^in /i.test(text) ? now + (wall - toLocal(now)) : toInstant(wall);
  return at <= now ? undefined : { once: new Date(at).toISOString() };
};
