/** Parses the day to which relative dates of a question refer. Leaves out an invalid day. */
import { type Day, parseDay } from "../chunks/days.ts";

export const toToday = (text: string | undefined): { readonly today?: Day } => {
  const today = parseDay(text ?? "");
  return today === undefined ? {} : { today };
};
