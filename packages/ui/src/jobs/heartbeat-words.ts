/** Texts about the state of a heartbeat. Pure. */
import { type ActiveHours, isBetween, type Job } from "@hearth/protocol";
import { formatSlotTime } from "./job-words.ts";
import * as texts from "./text.ts";

export interface HeartbeatNote {
  readonly text: string;
  /** Whether a person must change something before the heartbeat works. */
  readonly isTrouble: boolean;
}

/** Describes the next check. `zone` is the time zone of the active hours. */
export const describeNext = (
  { status, next, schedule, last }: Job,
  hours: ActiveHours | undefined,
  zone: string,
): HeartbeatNote => {
  if (status === "halted") return { text: texts.stoppedHeartbeat(last?.reason ?? ""), isTrouble: true };
  if (status === "paused") return { text: texts.pausedHeartbeat, isTrouble: false };
  if (next === undefined || schedule.kind !== "every") return { text: texts.noNextCheck, isTrouble: false };
  if (hours === undefined) return { text: texts.nextCheckAt(formatSlotTime(next)), isTrouble: false };
  const hoursText = texts.hoursWithin(hours.from, hours.to, zone);
  const firstCheck = findFirstActive(hours, next, schedule.everyMs, zone);
  if (firstCheck === undefined) return { text: texts.neverChecksIn(hoursText), isTrouble: true };
  return { text: texts.nextCheckWithin(formatSlotTime(firstCheck), hoursText), isTrouble: false };
};

const MINUTE_MS = 60_000;
/** Maximum number of times to try. With steps of a minute it covers more than a day. */
const MAX_STEPS = 1600;

/**
 * Returns the first check within the active hours. It tries times in steps of at least one minute,
 * and returns undefined if all of them are outside.
 */
export const findFirstActive = (
  hours: ActiveHours,
  next: number,
  everyMs: number,
  zone: string,
): number | undefined => {
  const stride = everyMs * Math.ceil(MINUTE_MS / everyMs);
  for (let steps = 0; steps < MAX_STEPS; steps += 1)
    if (isBetween(hours, next + steps * stride, zone)) return next + steps * stride;
  return undefined;
};
