/** Texts about jobs, schedules and outcomes. Pure. */
import type { Job, JobSlot, JobStatus, SlotFate } from "@hearth/protocol";

export const fateWords: Readonly<Record<SlotFate, string>> = {
  fired: "Ran",
  skipped: "Skipped",
  merged: "Merged into a later run",
  missed: "Missed",
  failed: "Failed",
  stopped: "Stopped",
};

export const statusWords: Readonly<Record<JobStatus, string>> = {
  active: "Active",
  paused: "Paused",
  halted: "Stopped after repeated failures",
  over: "Finished",
};

/** Describes the outcome of a slot, for example "Ran", "Running" or "Missed, 12 times". */
export const describeFate = ({ fate, endedAt, count }: JobSlot): string => {
  const words = endedAt === undefined ? "Running" : fateWords[fate];
  return count === 1 ? words : `${words}, ${count.toLocaleString()} times`;
};

/** Formats the time of a slot in the user's time zone, for example "Mon 23 Nov, 09:00". */
export const formatSlotTime = (at: number, locale?: string): string =>
  new Date(at).toLocaleString(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  });

/** Describes the schedule and state of a job, below its name. */
export const describeStanding = ({ understood, next, failures }: Job): string =>
  [
    understood,
    next === undefined ? undefined : `next ${formatSlotTime(next)}`,
    failures === 0 ? undefined : failures === 1 ? "last run failed" : `last ${failures} runs failed`,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
