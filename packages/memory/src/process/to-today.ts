/** The day that a question counts from. One that no calendar has is none. */
import { type Day, parseDay } from "../chunks/days.ts";

export const toToday = (text: string | undefined): { readonly today?: Day } => {
  const today = parseDay(text ?? "");
  return today === undefined ? {} : { today };
};
