/** Scores how near a chunk's date is to the time in a question. */
import { monthOf, parseDay, dayNumber } from "../chunks/days.ts";
import type { Span, TimeConstraints } from "../chunks/dates.ts";

/** Days after an event in which people usually report it. */
const REPORT_DAYS = 8;

/** Returns a score from 0, for another time or no time in the question, to 1.5, for the exact day. */
export const scoreDate = (date: string | undefined, { spans, months }: TimeConstraints): number => {
  if (spans.length === 0 && months.length === 0) return 0;
  const day = date === undefined ? undefined : parseDay(date);
  if (day === undefined) return 0;
  const spanScores = spans.map((span) => scoreSpan(dayNumber(day), span));
  const monthScores = months.map((constraint) => {
    if (constraint.month !== monthOf(day)) return 0;
    return constraint.day === undefined ? 1 : scoreDelay(Number(day.slice(8)) - constraint.day);
  });
  return Math.max(0, ...spanScores, ...monthScores);
};

const scoreSpan = (day: number, { from, to }: Span): number => {
  const [firstDay, lastDay] = [dayNumber(from), dayNumber(to)];
  const length = lastDay - firstDay + 1;
  if (length === 1) return Math.abs(day - firstDay) > 31 ? 0 : scoreDelay(day - firstDay);
  if (length > 31) return day >= firstDay && day <= lastDay ? 0.3 : 0;
  if (day >= firstDay && day <= lastDay) return 1;
  return day > lastDay && day - lastDay <= REPORT_DAYS ? 0.4 : 0;
};

const scoreDelay = (days: number): number => {
  if (Math.abs(days) <= 1) return 1.5;
  return days > 0 && days <= REPORT_DAYS ? 0.7 : 0.4;
};
