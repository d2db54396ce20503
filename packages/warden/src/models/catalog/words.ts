/** Words for a person, where several parts say the same. */

/** A vendor's words may end anyhow, and more follows them. */
export const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** How long, in the unit that a person would take: `31 s`, `5 minutes`, `24 hours`, `3 days`. */
export const showSpan = (ms: number): string => {
  if (ms < 2 * MINUTE) return `${Math.ceil(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${Math.ceil(ms / MINUTE)} minutes`;
  if (ms < 2 * DAY) return `${Math.ceil(ms / HOUR)} hours`;
  return `${Math.ceil(ms / DAY)} days`;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
