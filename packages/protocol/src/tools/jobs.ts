/**
 * Declares the five tools for an agent's own jobs. One file, because they differ little and every
 * start reads each file.
 */
import { z } from "zod";
import { JobContext, JobName, MAX_JOB_PROMPT } from "../agents/job.ts";
import { declareTool } from "./tool.ts";

const time = z.string().min(1).max(200).optional();

/**
 * Jobs stay in the house. In a tainted turn, changes to their file wait for a person; lines keep
 * the label of the turn that wrote them.
 */
const traits = { readsUntrusted: false, readsPrivate: false, acts: false, destroys: false };
const sharedTraits = {
  runs: "host",
  workspace: "none",
  level: "w",
  needs: "nothing",
  discovery: "onDemand",
  timeoutMs: 30_000,
} as const;

export const scheduleTask = declareTool({
  name: "schedule_task",
  description:
    "Do something later or regularly: a reminder, a summary every morning. Its reply goes where you are now.",
  input: z.strictObject({
    prompt: z.string().min(1).max(MAX_JOB_PROMPT).describe("what you will be asked then; you will know nothing else"),
    when: time.describe("such as: in 20 minutes, tomorrow at 18:00, every weekday at 9"),
    cron: time.describe("or five fields"),
    every: time.describe("or an interval: 2h"),
    once: time.describe("or 2026-12-01T09:00"),
    zone: time.describe("if not the person's"),
    name: JobName.optional(),
    context: JobContext.optional().describe("main: with the room's history"),
    room: z.string().min(1).max(200).optional().describe("if not here"),
  }),
  // A repeated call in the same turn creates one job: its name is given or derived from the step.
  effect: "keyed",
  traits,
  sinks: ["room"],
  ...sharedTraits,
  words: {
    doing: "Scheduling",
    done: "Scheduled",
    object: "prompt",
    title: "Schedule tasks",
    summary: "Sets reminders and regular tasks for itself.",
    group: "automations",
    risks: ["cost"],
  },
});

export const listTasks = declareTool({
  name: "list_tasks",
  description: "List what is scheduled: reminders and regular tasks, with their next times.",
  input: z.strictObject({}),
  effect: "pure",
  traits: { ...traits, readsPrivate: true },
  sinks: [],
  ...sharedTraits,
  level: "r",
  words: {
    doing: "Listing scheduled tasks",
    done: "Listed scheduled tasks",
    title: "List tasks",
    summary: "Lists its scheduled tasks.",
    group: "automations",
    risks: ["private"],
  },
});

/** Idempotent: pausing, resuming and cancelling again have no further effect. */
const byName = {
  input: z.strictObject({ name: JobName }),
  effect: "keyed",
  traits,
  sinks: [],
  ...sharedTraits,
} as const;

export const pauseTask = declareTool({
  ...byName,
  name: "pause_task",
  description: "Pause a scheduled task.",
  words: {
    doing: "Pausing",
    done: "Paused",
    object: "name",
    title: "Pause tasks",
    summary: "Pauses its scheduled tasks.",
    group: "automations",
    risks: [],
  },
});

export const resumeTask = declareTool({
  ...byName,
  name: "resume_task",
  description: "Resume a scheduled task that was paused or failed too often.",
  words: {
    doing: "Resuming",
    done: "Resumed",
    object: "name",
    title: "Resume tasks",
    summary: "Resumes its scheduled tasks.",
    group: "automations",
    risks: ["cost"],
  },
});

export const cancelTask = declareTool({
  ...byName,
  name: "cancel_task",
  description: "Cancel a scheduled task.",
  words: {
    doing: "Cancelling",
    done: "Cancelled",
    object: "name",
    title: "Cancel tasks",
    summary: "Cancels its scheduled tasks.",
    group: "automations",
    risks: [],
  },
});
