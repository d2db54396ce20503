/** Calendar days as text, YYYY-MM-DD, without time zone or clock. */

declare const dayBrand: unique symbol;
export type Day = string & { readonly [dayBrand]: true };

const DAY_MS = 86_400_000;

export const MONTHS: readonly string[] = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** Names of the days. Monday has the index 0. */
export const WEEKDAYS: readonly string[] = [
  ...["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
];

/** Returns the day, or `undefined` if it does not exist in the calendar. */
export const toDay = (year: number, month: number, day: number): Day | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 1000 && year <= 9999 ? (date.toISOString().slice(0, 10) as Day) : undefined;
};

export const parseDay = (text: string): Day | undefined => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match === null ? undefined : toDay(Number(match[1]), Number(match[2]), Number(match[3]));
};

/** Returns the number of days since 1970-01-01. */
export const dayNumber = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

export const addDays = (day: Day, days: number): Day =>
  new Date((dayNumber(day) + days) * DAY_MS).toISOString().slice(0, 10) as Day;

export const weekdayOf = (day: Day): number => (((dayNumber(day) + 3) % 7) + 7) % 7;

export const yearOf = (day: Day): number => Number(day.slice(0, 4));
export const monthOf = (day: Day): number => Number(day.slice(5, 7));

/** Returns the number of days in a month. */
export const lengthOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Formats a day as "8 May 2023", the most frequent form in the training data of language models. */
export const spellDay = (day: Day): string => {
  const month = MONTHS[monthOf(day) - 1] ?? "";
  return `${Number(day.slice(8))} ${month.slice(0, 1).toUpperCase()}${month.slice(1)} ${day.slice(0, 4)}`;
};
