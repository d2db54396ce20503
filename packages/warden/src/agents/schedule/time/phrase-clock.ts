/** Parses times of day in everyday English, including the parts of the day. Pure. */

export interface Part {
  /** The time of day if the phrase names none. */
  readonly usual: string;
  /** Returns the half of the day of an hour from 1 to 12 without am or pm. */
  half(hour: number): "am" | "pm";
  /** Whether the hour belongs to this part of the day. */
  has(hour: number): boolean;
}

const within =
  (from: number, to: number) =>
  (hour: number): boolean =>
    hour >= from && hour <= to;

const PARTS: Readonly<Record<string, Part>> = {
  morning: { usual: "9", half: () => "am", has: within(4, 11) },
  afternoon: { usual: "3", half: () => "pm", has: within(12, 18) },
  evening: { usual: "6", half: () => "pm", has: within(16, 23) },
  night: {
    usual: "10",
    half: (hour) => (hour === 12 || hour < 6 ? "am" : "pm"),
    has: (hour) => hour >= 18 || hour < 6,
  },
};

export const partOf = (name: string): Part | undefined => (Object.hasOwn(PARTS, name) ? PARTS[name] : undefined);

/**
 * Returns the minutes and hours of a cron expression, within the part of the day if the phrase
 * names one. Several times must share their minutes.
 */
export const readTimes = (said: string, part: Part | undefined): string | undefined => {
  const times = said.split(/ and (?:and )?(?:at )?/).map((one) => readTime(one, part));
  const [first] = times;
  const hours = times.flatMap((time) => (time === undefined ? [] : [time.hour]));
  if (first === undefined || times.some((time) => time?.minute !== first.minute)) return undefined;
  return `${first.minute} ${[...new Set(hours)].sort((one, other) => one - other).join(",")}`;
};

const HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const readTime = (
  said: string,
  part: Part | undefined,
): { readonly hour: number; readonly minute: number } | undefined => {
  const text = HOURS.includes(said) ? String(HOURS.indexOf(said) + 1) : said.replace(/ ?o['’]?clock$/, "");
  const isIn = (hour: number): boolean => part === undefined || part.has(hour);
  if (text === "noon") return isIn(12) ? { hour: 12, minute: 0 } : undefined;
  if (text === "midnight") return isIn(0) ? { hour: 0, minute: 0 } : undefined;
  const [, digits, minutes = "0", own] = /^(\d{1,2})(?:[:.](\d\d))?(?: ?(am|pm))?$/.exec(text) ?? [];
  const [count, minute] = [Number(digits), Number(minutes)];
  const half = own ?? (count >= 1 && count <= 12 ? part?.half(count) : undefined);
  if (digits === undefined || minute > 59 || count > (half === undefined ? 23 : 12)) return undefined;
  if (half !== undefined && count === 0) return undefined;
  const hour = half === undefined ? count : (count % 12) + (half === "pm" ? 12 : 0);
  return isIn(hour) ? { hour, minute } : undefined;
};
