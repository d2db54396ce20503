/** How a heartbeat stands, in a person's words. Pure. */
import { type ActiveHours, isBetween, type Job } from "@hearth/protocol";
import { tellTime } from "./job-words.ts";

export interface Told {
  readonly text: string;
  /** Nothing comes of it unless somebody does something. */
  readonly isTrouble: boolean;
}

/** `zone`: in which its hours are meant. */
export const tellNext = ({ status, next, schedule, last }: Job, hours: ActiveHours | undefined, zone: string): Told => {
  if (status === "halted")
    return { text: `It does not look any more. ${last?.reason ?? ""} Mend that, and resume it.`, isTrouble: true };
  if (status === "paused")
    return { text: "It is paused, and does not look until somebody resumes it.", isTrouble: false };
  if (next === undefined || schedule.kind !== "every") return { text: "It has no next time.", isTrouble: false };
  if (hours === undefined) return { text: `Next, by your clock: ${tellTime(next)}.`, isTrouble: false };
  const within = `${hours.from} to ${hours.to} (${zone})`;
  const first = firstActive(hours, next, schedule.everyMs, zone);
  if (first === undefined)
    return {
      text: `None of its times is from ${within}: it never looks. Choose a shorter time, or other hours.`,
      isTrouble: true,
    };
  return { text: `Next, by your clock: ${tellTime(first)}. It looks from ${within}.`, isTrouble: false };
};

const MINUTE_MS = 60_000;
/** More than the minutes of a day, so that no hour of one is passed over. */
const MOST_STEPS = 1600;

/** The first of its times that is within the hours, looked at once a minute where they are closer. Nothing: none of the next ones is. */
export const firstActive = (hours: ActiveHours, next: number, everyMs: number, zone: string): number | undefined => {
  const stride = everyMs * Math.ceil(MINUTE_MS / everyMs);
  for (let steps = 0; steps < MOST_STEPS; steps += 1)
    if (isBetween(hours, next + steps * stride, zone)) return next + steps * stride;
  return undefined;
};
