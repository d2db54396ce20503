/**
 * Marks in messages that identify their requests at the model. The last mark in a request belongs
 * to its newest message.
 */

const PREFIX = "turn-";
const DIGITS = 8;

export const markOf = (turn: number): string => `${PREFIX}${String(turn).padStart(DIGITS, "0")}`;

export const lastMark = (text: string): string | undefined => {
  const at = text.lastIndexOf(PREFIX);
  return at < 0 ? undefined : text.slice(at, at + PREFIX.length + DIGITS);
};
