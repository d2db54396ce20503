/**
 * Parses times in everyday English. A small grammar, below, covers recurring times, and chrono-node
 * reads one-time times. Other phrases are refused, never guessed.
 *
 * every INTERVAL                         every 15 minutes, every two hours, every half hour
 * every DAYS [at TIMES]                  every day at 9, every monday and thursday at 8am
 * every [DAYS] PART [at TIMES]           every morning at nine, every sunday evening
 * [every] DAYS, of many [at TIMES]       weekdays at 9, on sundays at 20:00
 * every month on the N [at TIMES]        every month on the 1st at noon, the last day of the month
 * daily | hourly | weekly | monthly [at TIMES]
 */
import { HearthError } from "@hearth/protocol";
import type { JobFields } from "../jobs-file.ts";
import { type DayPart, partOf, readTimes } from "./phrase-clock.ts";
import { readOnce } from "./phrase-once.ts";

export type PhraseTimes = Pick<JobFields, "cron" | "every" | "once">;

/** Reads a phrase. Throws `job.invalid`. */
export const readPhrase = (phrase: string, now: number, zone: string): PhraseTimes => {
  const words = phrase.trim().toLowerCase().replace(/,/g, " and ").replace(/\s+/g, " ");
  const times = RECURRING.test(words) ? readRecurring(words) : readOnce(phrase, now, zone);
  if (times !== undefined) return times;
  throw new HearthError("job.invalid", `"${phrase}" is not a time that Hearth understands.`, {
    hint: 'Use for example "every weekday at 9", "every 15 minutes", "in 20 minutes", "tomorrow at 18:00"; or --cron, --every, --once',
  });
};

const RECURRING =
  /^((every|each|daily|hourly|weekly|monthly)\b|(on )?(weekdays|workdays|weekends|(sun|mon|tues|wednes|thurs|fri|satur)days)\b|(on )?the .+ of (every|each|the) month\b)/;

const UNITS: Readonly<Record<string, string>> = { second: "s", minute: "m", min: "m", hour: "h", day: "d", week: "w" };
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const COUNTS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/** The default hour of the day. */
const MORNING_HOUR = "9";

const readRecurring = (words: string): PhraseTimes | undefined => {
  const interval = readInterval(words);
  if (interval !== undefined) return { every: interval };
  const [, daysText = words, timesText] = /^(.*?) at (.+)$/.exec(words) ?? [];
  const { days, part } = splitPart(daysText.replace(/^(every|each|on) /, ""));
  const times = readTimes(timesText ?? part?.defaultHour ?? MORNING_HOUR, part);
  const daysField = daysOf(days);
  return times === undefined || daysField === undefined ? undefined : { cron: `${times} ${daysField}` };
};

const readInterval = (words: string): string | undefined => {
  const interval = words.replace(/^(every|each) /, "");
  if (interval === "hourly" || interval === "hour") return "1h";
  if (/^half (an )?hour$/.test(interval)) return "30m";
  if (/^quarter (of an )?hour$/.test(interval)) return "15m";
  const [, countText, unit = ""] = /^(?:(\d{1,4}|[a-z]+) )?(second|minute|min|hour|day|week)s?$/.exec(interval) ?? [];
  const count =
    countText === undefined ? 1 : COUNTS.includes(countText) ? COUNTS.indexOf(countText) + 2 : Number(countText);
  // "every day" and "every week" name a time of day and not an interval.
  if (UNITS[unit] === undefined || Number.isNaN(count) || (count === 1 && (unit === "day" || unit === "week")))
    return undefined;
  return `${count}${UNITS[unit]}`;
};

/** Splits "sunday evening" into the days and the part of the day. */
const splitPart = (words: string): { readonly days: string; readonly part: DayPart | undefined } => {
  const [, days = "day", name = ""] = /^(?:(.+) )?([a-z]+?)s?$/.exec(words) ?? [];
  const part = partOf(name);
  return part === undefined ? { days: words, part } : { days, part };
};

/** Returns the day of the month, month and day of the week of a cron expression. */
const daysOf = (words: string): string | undefined => {
  const singular = words.replace(/days$/, "day").replace(/ends$/, "end");
  if (singular === "day" || singular === "daily") return "* * *";
  if (singular === "weekday" || singular === "workday") return "* * 1-5";
  if (singular === "weekend") return "* * 0,6";
  if (singular === "week" || singular === "weekly") return "* * 1";
  return dateOf(words) ?? weekdaysOf(words);
};

/** Reads a day of every month. */
const dateOf = (words: string): string | undefined => {
  if (words === "month" || words === "monthly") return "1 * *";
  if (/^((the )?last day of (every|each|the) month|month on the last day)$/.test(words)) return "L * *";
  const [, first, second] =
    /^(?:(?:month|monthly) on the (first|\d{1,2})|the (first|\d{1,2})(?:st|nd|rd|th)? (?:day )?of (?:every|each|the) month)(?:st|nd|rd|th)?(?: day)?$/.exec(
      words,
    ) ?? [];
  const dayOfMonth = first ?? second;
  const date = dayOfMonth === "first" ? 1 : Number(dayOfMonth);
  return dayOfMonth !== undefined && date >= 1 && date <= 31 ? `${date} * *` : undefined;
};

const weekdaysOf = (words: string): string | undefined => {
  const dayNumbers: number[] = [];
  for (const piece of words.split(/ and (?:and )?/)) {
    const [firstDay = -1, lastDay = firstDay, ...otherDays] = piece.split(/ (?:to|through) |-/).map(weekdayOf);
    if (firstDay < 0 || lastDay < 0 || otherDays.length > 0) return undefined;
    for (let day = firstDay; ; day = (day + 1) % DAYS.length) {
      dayNumbers.push(day);
      if (day === lastDay) break;
    }
  }
  const days = [...new Set(dayNumbers)].sort((a, b) => a - b).join(",");
  return `* * ${days === "1,2,3,4,5" ? "1-5" : days}`;
};

const weekdayOf = (word: string): number =>
  DAYS.findIndex((day) => word === day || word === `${day}s` || word === day.slice(0, 3));
