/** The job form: its field values, their validation, and the job or patch that is sent. Pure. */
import {
  type AddJob,
  type CatchUp,
  type Job,
  type JobContext,
  type PatchJob,
  type PreviewJob,
  wallDay,
  wallTime,
} from "@hearth/protocol";
import * as texts from "./text.ts";

/** How the schedule is given. `when` is a phrase in plain words. */
export const timings = ["when", "cron", "every", "once"] as const;
export type Timing = (typeof timings)[number];

export interface JobDraft {
  readonly name: string;
  readonly prompt: string;
  readonly timing: Timing;
  readonly time: string;
  /** Empty: the agent's time zone, or the house's. */
  readonly zone: string;
  readonly context: JobContext;
  /** A room id or handle. Empty: the direct room of the owner and the agent. */
  readonly room: string;
  readonly until: string;
  readonly catchUp: CatchUp;
}

export const NEW_DRAFT: JobDraft = {
  name: "",
  prompt: "",
  timing: "when",
  time: "",
  zone: "",
  context: "isolated",
  room: "",
  until: "",
  catchUp: "once",
};

/** `zone` is the agent's time zone, or the house's. */
export const draftOf = (job: Job, zone: string): JobDraft => {
  const { name, prompt, schedule, understood, context, room = "", until, catchUp } = job;
  const own = schedule.kind === "cron" ? schedule.zone : zone;
  return {
    name,
    prompt,
    context,
    room,
    catchUp,
    until: until === undefined ? "" : toEnd(until, own),
    timing: schedule.kind,
    zone: schedule.kind === "cron" ? schedule.zone : "",
    time:
      schedule.kind === "cron"
        ? schedule.cron
        : schedule.kind === "once"
          ? toInstant(schedule.at)
          : understood.replace(/^every /, ""),
  };
};

/** The preview request. Undefined while no time is entered. */
export const previewOf = ({ timing, time, zone, until }: JobDraft): PreviewJob | undefined =>
  time.trim() === ""
    ? undefined
    : { [timing]: time.trim(), ...(zone === "" ? {} : { zone }), ...(until === "" ? {} : { until }) };

export const toAddJob = (draft: JobDraft): AddJob => ({
  name: draft.name.trim(),
  prompt: draft.prompt,
  context: draft.context,
  catchUp: draft.catchUp,
  ...previewOf(draft),
  ...(draft.room === "" ? {} : { room: draft.room }),
});

/** Changed fields only; an emptied field is removed. */
export const toPatchJob = (draft: JobDraft, before: JobDraft): PatchJob => {
  const { prompt, timing, time, context, catchUp } = draft;
  const orNull = (key: "zone" | "room" | "until") =>
    draft[key] === before[key] ? {} : { [key]: draft[key] === "" ? null : draft[key] };
  return {
    ...(prompt === before.prompt ? {} : { prompt }),
    ...(timing === before.timing && time === before.time ? {} : { [timing]: time.trim() }),
    ...(context === before.context ? {} : { context }),
    ...(catchUp === before.catchUp ? {} : { catchUp }),
    ...orNull("zone"),
    ...orNull("room"),
    ...orNull("until"),
  };
};

export type DraftErrors = Partial<Record<"name" | "prompt" | "time", string>>;

/** Missing fields, before the house validates the rest. */
export const checkDraft = ({ name, prompt, time }: JobDraft): DraftErrors => ({
  ...(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name.trim()) ? {} : { name: texts.invalidJobName }),
  ...(prompt.trim() === "" ? { prompt: texts.enterAPrompt } : {}),
  ...(time.trim() === "" ? { time: texts.enterATime } : {}),
});

/** The field that a validation error names; otherwise the schedule. */
export const fieldOfRefusal = (message: string, { zone, until }: JobDraft): "zone" | "until" | "time" => {
  const names = (text: string): boolean => text !== "" && message.includes(`"${text}"`);
  return names(zone) ? "zone" : names(until) ? "until" : "time";
};

/** A date without a time if the instant is the end of that day. */
const toEnd = (at: number, zone: string): string => {
  const { hour, minute } = wallTime(at + 1, zone);
  return hour === "00" && minute === "00" && (at + 1) % 60_000 === 0 ? wallDay(at, zone) : toInstant(at);
};

const toInstant = (at: number): string => new Date(at).toISOString().replace(/(:00)?\.000Z$/, "Z");
