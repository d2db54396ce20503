/**
 * Finds dates in text: "7 May 2023", "in May", "last Tuesday", "two weeks ago". English and ISO
 * formats.
 */
import {
  addDays,
  type Day,
  lengthOfMonth,
  monthOf,
  MONTHS,
  parseDay,
  toDay,
  weekdayOf,
  WEEKDAYS,
  yearOf,
} from "./days.ts";

/** A range of days, inclusive. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
}

/** The time constraints of a question. */
export interface TimeConstraints {
  /** Ranges with known dates, in order of mention. */
  readonly spans: readonly Span[];
  /** Months (1 to 12) without a year, with the day if there is one, such as "on 3 May". */
  readonly months: readonly { readonly month: number; readonly day?: number }[];
}

const MONTH = `(${MONTHS.join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const COUNT = `(\\d{1,3}|an?|${NUMBERS.join("|")})`;

/** Returns the first complete date in a heading, front matter or file name. */
export const findDay = (text: string): Day | undefined => {
  const iso = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(text)?.[0];
  return (iso === undefined ? undefined : parseDay(iso)) ?? fullDates(text.toLowerCase())[0];
};

/**
 * Reads the time constraints of `text`. Relative words ("yesterday") count from `today` and are
 * ignored without it.
 */
export const readTime = (text: string, today?: Day): TimeConstraints => {
  const lower = text.toLowerCase();
  const fullDateSpans = [...fullDates(lower), ...isoDates(lower)].map((day) => ({ from: day, to: day }));
  const datedSpans = [...fullDateSpans, ...monthsOfYears(lower)];
  const years = datedSpans.length > 0 ? [] : wholeYears(lower);
  return {
    spans: [...datedSpans, ...years, ...(today === undefined ? [] : relativeSpans(lower, today))],
    months: datedSpans.length > 0 ? [] : bareMonths(text),
  };
};

const isoDates = (text: string): readonly Day[] =>
  [...text.matchAll(/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g)].flatMap(([day]) => parseDay(day) ?? []);

const fullDates = (text: string): readonly Day[] => [
  ...[...text.matchAll(new RegExp(`\\b${DAY} (?:of )?${MONTH},? (\\d{4})\\b`, "g"))].flatMap(
    ([, day, month, year]) => toDay(Number(year), monthNumber(month), Number(day)) ?? [],
  ),
  ...[...text.matchAll(new RegExp(`\\b${MONTH} ${DAY},? (\\d{4})\\b`, "g"))].flatMap(
    ([, month, day, year]) => toDay(Number(year), monthNumber(month), Number(day)) ?? [],
  ),
];

const monthsOfYears = (text: string): readonly Span[] =>
  [...text.matchAll(new RegExp(`(?<!\\d(?:st|nd|rd|th)? (?:of )?)\\b${MONTH},? (?:of )?(\\d{4})\\b`, "g"))].flatMap(
    ([, month, year]) => monthSpan(Number(year), monthNumber(month)) ?? [],
  );

const wholeYears = (text: string): readonly Span[] =>
  [...text.matchAll(/\b((?:19|20)\d{2})\b/g)].flatMap(([, year]) => {
    const [from, to] = [toDay(Number(year), 1, 1), toDay(Number(year), 12, 31)];
    return from === undefined || to === undefined ? [] : { from, to };
  });

/** Finds months without a year. "May" counts only with a capital, because "may" is a verb. */
const bareMonths = (text: string): TimeConstraints["months"] => {
  const pattern = new RegExp(`(?:\\b${DAY} (?:of )?)?\\b${MONTH}(?![\\p{L}])(?: ${DAY}(?!\\d))?`, "giu");
  return [...text.matchAll(pattern)].flatMap(([, dayBefore, month = "", dayAfter]) => {
    if (!/^\p{Lu}/u.test(month)) return [];
    const day = Number(dayBefore ?? dayAfter);
    return { month: monthNumber(month.toLowerCase()), ...(day >= 1 && day <= 31 ? { day } : {}) };
  });
};

const relativeSpans = (text: string, today: Day): readonly Span[] => {
  const spans: Span[] = [];
  const add = (from: number, to: number): void =>
    void spans.push({ from: addDays(today, from), to: addDays(today, to) });
  if (/\btoday\b|\bthis (morning|afternoon|evening)\b|\btonight\b/.test(text)) add(0, 0);
  if (/\byesterday\b|\blast night\b/.test(text)) add(-1, -1);
  if (/\btomorrow\b/.test(text)) add(1, 1);
  const mondayOffset = -weekdayOf(today);
  if (/\bthis week\b/.test(text)) add(mondayOffset, mondayOffset + 6);
  if (/\b(last|past|previous) week\b/.test(text)) add(mondayOffset - 7, mondayOffset - 1);
  if (/\b(last|past) weekend\b/.test(text)) add(mondayOffset - 2, mondayOffset - 1);
  for (const [, name = ""] of text.matchAll(new RegExp(`\\blast (${WEEKDAYS.join("|")})\\b`, "g"))) {
    const offset = -(((weekdayOf(today) - WEEKDAYS.indexOf(name) + 6) % 7) + 1);
    add(offset, offset);
  }
  for (const [, count = "", unit = ""] of text.matchAll(
    new RegExp(`\\b${COUNT} (day|week|month|year)s? ago\\b`, "g"),
  )) {
    const days = DAYS_PER_UNIT.get(unit) ?? 1;
    const offset = -countOf(count) * days;
    // "Two months ago" is approximate, so half a unit is allowed before and after.
    const slack = Math.floor(days / 2);
    add(offset - slack, offset + slack);
  }
  spans.push(...monthsAround(text, today));
  return spans;
};

const monthsAround = (text: string, today: Day): readonly Span[] => {
  const [year, month] = [yearOf(today), monthOf(today)];
  const spans = [
    /\bthis month\b/.test(text) ? monthSpan(year, month) : undefined,
    /\b(last|past|previous) month\b/.test(text)
      ? monthSpan(month === 1 ? year - 1 : year, month === 1 ? 12 : month - 1)
      : undefined,
    /\bthis year\b/.test(text) ? wholeYears(String(year))[0] : undefined,
    /\b(last|past|previous) year\b/.test(text) ? wholeYears(String(year - 1))[0] : undefined,
  ];
  return spans.flatMap((span) => span ?? []);
};

const monthSpan = (year: number, month: number): Span | undefined => {
  const [from, to] = [toDay(year, month, 1), toDay(year, month, lengthOfMonth(year, month))];
  return from === undefined || to === undefined ? undefined : { from, to };
};

const monthNumber = (name: string | undefined): number =>
  MONTHS.findIndex((month) => month.startsWith((name ?? "-").slice(0, 3))) + 1;

const DAYS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ["day", 1],
  ["week", 7],
  ["month", 30],
  ["year", 365],
]);

const countOf = (word: string): number => (/^\d/.test(word) ? Number(word) : Math.max(1, NUMBERS.indexOf(word) + 1));
