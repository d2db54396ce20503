/** Texts about jobs, schedules and outcomes. Pure. */
import type { Job, JobSlot, JobStatus, SlotFate } from "@hearth/protocol";
import { formatNumber, locale } from "../language/locale.ts";
import * as texts from "./text.ts";

export const fateWords: Readonly<Record<SlotFate, string>> = texts.fates;

export const statusWords: Readonly<Record<JobStatus, string>> = texts.statuses;

/** Describes the outcome of a slot, for example "Ran", "Running" or "Missed, 12 times". */
export const describeFate = ({ fate, endedAt, count }: JobSlot): string => {
  const words = endedAt === undefined ? texts.runningNow : fateWords[fate];
  return count === 1 ? words : texts.repetitionCount(words, formatNumber(count));
};

/** Formats the time of a slot in the user's time zone, for example "Mon 23 Nov, 09:00". */
export const formatSlotTime = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleString(tag, {
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
  failures > 1 ? texts.lastRunsFailed(failures) : undefined;
