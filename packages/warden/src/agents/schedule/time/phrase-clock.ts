/** Parses times of day in everyday English, including the parts of the day. */

export interface DayPart {
  /** The time of day if the phrase names none. */
  readonly defaultHour: string;
  /** Returns the half of the day of an hour from 1 to 12 without am or pm. */
  meridiem(hour: number): "am" | "pm";
  /** Whether the hour belongs to this part of the day. */
  contains(hour: number): boolean;
}

const hoursBetween =
  (from: number, to: number) =>
  (hour: number): boolean =>
    hour >= from && hour <= to;

const PARTS: Readonly<Record<string, DayPart>> = {
  morning: { defaultHour: "9", meridiem: () => "am", contains: hoursBetween(4, 11) },
  afternoon: { defaultHour: "3", meridiem: () => "pm", contains: hoursBetween(12, 18) },
  evening: { defaultHour: "6", meridiem: () => "pm", contains: hoursBetween(16, 23) },
  night: {
    defaultHour: "10",
    meridiem: (hour) => (hour === 12 || hour < 6 ? "am" : "pm"),
    contains: (hour) => hour >= 18 || hour < 6,
  },
};

export const partOf = (name: string): DayPart | undefined => (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined);

/**
 * Returns the minutes and hours of a cron expression, within the part of the day if the phrase
 * names one. Several times must share their minutes.
 */
export const readTimes = (text: string, part: DayPart | undefined): string | undefined => {
  const times = text.split(/ and (?:and )?(?:at )?/).map((timeText) => readTime(timeText, part));
  const [firstTime] = times;
  const hours = times.flatMap((time) => (time === undefined ? [] : [time.hour]));
  if (firstTime === undefined || times.some((time) => time?.minute !== firstTime.minute)) return undefined;
  return `${firstTime.minute} ${[...new Set(hours)].sort((a, b) => a - b).join(",")}`;
};

const HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const readTime = (
  word: string,
  part: DayPart | undefined,
): { readonly hour: number; readonly minute: number } | undefined => {
  const text = HOURS.includes(word) ? String(HOURS.indexOf(word) + 1) : word.replace(/ ?o['’]?clock$/, "");
  const isIn = (hour: number): boolean => part === undefined || part.contains(hour);
  if (text === "noon") return isIn(12) ? { hour: 12, minute: 0 } : undefined;
  if (text === "midnight") return isIn(0) ? { hour: 0, minute: 0 } : undefined;
  const [, digits, minutes = "0", suffix] = /^(\d{1,2})(?:[:.](\d\d))?(?: ?(am|pm))?$/.exec(text) ?? [];
  const [count, minute] = [Number(digits), Number(minutes)];
  const meridiem = suffix ?? (count >= 1 && count <= 12 ? part?.meridiem(count) : undefined);
  if (digits === undefined || minute > 59 || count > (meridiem === undefined ? 23 : 12)) return undefined;
  if (meridiem !== undefined && count === 0) return undefined;
  const hour = meridiem === undefined ? count : (count % 12) + (meridiem === "pm" ? 12 : 0);
  return isIn(hour) ? { hour, minute } : undefined;
};
