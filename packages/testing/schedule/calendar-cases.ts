/** Difficult calendar cases: zones and years with clock changes, and expressions that meet them. */

const DAY_MS = 86_400_000;

export const YEARS: readonly (readonly [zone: string, start: number])[] = [
  ["America/New_York", Date.UTC(2026, 0, 1)],
  ["Europe/Berlin", Date.UTC(2026, 0, 1)],
  // Forward across midnight.
  ["Africa/Cairo", Date.UTC(2026, 0, 1)],
  // Southern hemisphere, and back across midnight.
  ["America/Santiago", Date.UTC(2026, 0, 1)],
  // By half an hour.
  ["Australia/Lord_Howe", Date.UTC(2026, 0, 1)],
  // No changes.
  ["Asia/Kolkata", Date.UTC(2026, 0, 1)],
  // Skipped the whole day of 30 December 2011.
  ["Pacific/Apia", Date.UTC(2011, 0, 1)],
];
export const SPAN_MS = 731 * DAY_MS;

export const EXPRESSIONS = [
  "30 2 * * *",
  "0 0 * * *",
  "5,35 0-3 * * *",
  "15 23 * * 5,6",
  "0 9 13 * 5",
  "0 3 29 2 *",
  "*/15 * * * *",
  "0 */3 * * *",
  "* 2 * * *",
] as const;

/** Ranges of days around each clock change of the zone in these two years. */
export const changesIn = (zone: string, start: number): readonly (readonly [from: number, to: number])[] => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const offsetAt = (day: number): number => Date.parse(`${format.format(day).replace(" ", "T")}Z`) - day;
  return Array.from({ length: SPAN_MS / DAY_MS - 4 }, (_, index) => start + (index + 2) * DAY_MS)
    .filter((day) => offsetAt(day) !== offsetAt(day + DAY_MS))
    .map((day) => [day - 2 * DAY_MS, day + 3 * DAY_MS]);
};
