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

/** The ways to enter a schedule. `when` is a phrase in plain words. */
export const timings = ["when", "cron", "every", "once"] as const;
export type Timing = (typeof timings)[number];

export interface JobDraft {
  readonly name: string;
  readonly prompt: string;
  readonly timing: Timing;
  readonly time: string;
  /** The time zone. An empty text selects that of the agent, or else of the house. */
  readonly zone: string;
  readonly context: JobContext;
  /** A room id or handle. An empty text selects the direct room of the owner and the agent. */
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

/** Returns the form for a job. `zone` is the time zone of the agent, or else of the house. */
export const draftOf = (job: Job, zone: string): JobDraft => {
  const { name, prompt, schedule, understood, context, room = "", until, catchUp } = job;
  const timezone = schedule.kind === "cron" ? schedule.zone : zone;
  return {
    name,
    prompt,
    context,
    room,
    catchUp,
    until: until === undefined ? "" : toEnd(until, timezone),
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

/** Returns the preview request, or undefined while no time is entered. */
export const previewOf = ({ timing, time, zone, until }: JobDraft): PreviewJob | undefined =>
  time.trim() === ""
    ? undefined
    : { [timing]: time.trim(), ...(zone === "" ? {} : { zone }), ...(until === "" ? {} : { until }) };

export const toAddJob = (draft: JobDraft): AddJob => ({
  name: nameOf(draft),
  prompt: draft.prompt,
  context: draft.context,
  catchUp: draft.catchUp,
  ...previewOf(draft),
  ...(draft.room === "" ? {} : { room: draft.room }),
});

/** Returns the changed fields as a patch. A field that was emptied is removed from the job. */
export const toPatchJob = (draft: JobDraft, savedDraft: JobDraft): PatchJob => {
  const { prompt, timing, time, context, catchUp } = draft;
  const toNullableField = (key: "zone" | "room" | "until") =>
    draft[key] === savedDraft[key] ? {} : { [key]: draft[key] === "" ? null : draft[key] };
  return {
    ...(prompt === savedDraft.prompt ? {} : { prompt }),
    ...(timing === savedDraft.timing && time === savedDraft.time ? {} : { [timing]: time.trim() }),
    ...(context === savedDraft.context ? {} : { context }),
    ...(catchUp === savedDraft.catchUp ? {} : { catchUp }),
    ...toNullableField("zone"),
    ...toNullableField("room"),
    ...toNullableField("until"),
  };
};

export type DraftErrors = Partial<Record<"name" | "prompt" | "time", string>>;

/** Finds missing fields. The house validates the rest. */
export const checkDraft = (draft: JobDraft): DraftErrors => {
  const { name, prompt, time } = draft;
  const isBlank = name.trim() === "" && prompt.trim() === "";
  return {
    ...(isBlank || nameOf(draft) !== "" ? {} : { name: texts.invalidJobName }),
    ...(prompt.trim() === "" ? { prompt: texts.enterAPrompt } : {}),
    ...(time.trim() === "" ? { time: texts.enterATime } : {}),
  };
};

const MAX_NAME_LENGTH = 64;
const MAX_NAME_WORDS = 4;

/** Returns the name of a new job: the typed one, or else the first words of the prompt. */
const nameOf = ({ name, prompt }: JobDraft): string =>
  name.trim() === "" ? toName(prompt.trim().split(/\s+/).slice(0, MAX_NAME_WORDS).join(" ")) : toName(name);

/** Writes a text in lowercase letters, digits and dashes: "Café news" → "cafe-news". */
const toName = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/-$/, "");

/** Returns the field that a validation error names, or else the field of the schedule. */
export const fieldOfRefusal = (message: string, { zone, until }: JobDraft): "zone" | "until" | "time" => {
  const isNamed = (text: string): boolean => text !== "" && message.includes(`"${text}"`);
  return isNamed(zone) ? "zone" : isNamed(until) ? "until" : "time";
};

/** Formats an end. The end of a day becomes a date without a time. */
const toEnd = (at: number, zone: string): string => {
  const { hour, minute } = wallTime(at + 1, zone);
  return hour === "00" && minute === "00" && (at + 1) % 60_000 === 0 ? wallDay(at, zone) : toInstant(at);
};

const toInstant = (at: number): string => new Date(at).toISOString().replace(/(:00)?\.000Z$/, "Z");
