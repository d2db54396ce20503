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

/**
 * Describes the failures since the last success. Returns undefined after fewer than two, because
 * the last run shows one.
 */
export const describeFailures = ({ failures }: Pick<Job, "failures">): string | undefined =>
  failures > 1 ? `Last ${failures} runs failed` : undefined;
