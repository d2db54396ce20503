/** Text helpers for messages to people. */

/** Adds a full stop to a vendor's message if it has no end mark. */
export const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Formats a duration in a readable unit: `31 s`, `5 minutes`, `24 hours`, `3 days`. */
export const showDuration = (ms: number): string => {
  if (ms < 2 * MINUTE) return `${Math.ceil(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${Math.ceil(ms / MINUTE)} minutes`;
  if (ms < 2 * DAY) return `${Math.ceil(ms / HOUR)} hours`;
  return `${Math.ceil(ms / DAY)} days`;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
