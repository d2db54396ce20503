/** Jobs, their times and what became of them, in a person's words. Pure. */
import type { Job, JobSlot, JobStatus, SlotFate } from "@hearth/protocol";

export const fateWords: Readonly<Record<SlotFate, string>> = {
  fired: "Fired",
  skipped: "Skipped",
  merged: "Left to a later one",
  missed: "Missed",
  failed: "Failed",
  stopped: "Was stopped",
};

export const statusWords: Readonly<Record<JobStatus, string>> = {
  active: "Active",
  paused: "Paused",
  halted: "Halted: it failed too often",
  over: "Over: no time is left",
};

/** "Fired", "At work", "Missed, 12 times". */
export const tellFate = ({ fate, endedAt, count }: JobSlot): string => {
  const words = endedAt === undefined ? "At work" : fateWords[fate];
  return count === 1 ? words : `${words}, ${count.toLocaleString()} times`;
};

/** "Mon 23 Nov, 09:00", by the clock of the person who reads it. */
export const tellTime = (at: number, locale?: string): string =>
  new Date(at).toLocaleString(locale, {
    ...{ weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  });

/** What stands below a job's name. */
export const tellStanding = ({ understood, next, failures }: Job): string =>
  [
    understood,
    next === undefined ? undefined : `next ${tellTime(next)}`,
    failures === 0 ? undefined : failures === 1 ? "failed the last time" : `failed ${failures} times in a row`,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
