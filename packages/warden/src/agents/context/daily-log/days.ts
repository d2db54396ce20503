/** Days as people of a zone count them: what a daily log is called. */

const DAY_MS = 24 * 60 * 60_000;

/** The day before one that is written so. Days have no zone: one of 23 hours is a day as well. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
