/** Parses the day that a question counts from. An invalid day is omitted. */
import { type Day, parseDay } from "../chunks/days.ts";

export const toToday = (text: string | undefined): { readonly today?: Day } => {
  const today = parseDay(text ?? "");
  return today === undefined ? {} : { today };
};
