/** Calculates the calendar days of a time zone, which name the daily logs. */

const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns the calendar day before `day`. Days have no zone here, so a day of 23 or 25 hours needs
 * no special case.
 */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
