/** Calendar days of a time zone, which name the daily logs. */

const DAY_MS = 24 * 60 * 60_000;

/** The calendar day before. Days have no zone here, so days of 23 or 25 hours need no care. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
