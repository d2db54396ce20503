/** The tools that list, pause, resume and cancel the jobs that the turn may see. */
import { joinLabels, type Label } from "@hearth/protocol";
import { TRUSTED_LABEL } from "../call.ts";
import { turnAuthorOf, findInScope, jobsInScope } from "./job-scope.ts";
import { noSuchJobOutcome, toFailedOutcome, describeChange, describeJob, describeTimes } from "./job-words.ts";
import type { ScheduleParts } from "../parts.ts";
import type { RunHostTool } from "../tool.ts";

const MAX_LISTED = 100;

export const listTasks: RunHostTool<"list_tasks", ScheduleParts> = async (_input, call, parts) => {
  const jobs = await jobsInScope(call, parts);
  const shownJobs = jobs.slice(0, MAX_LISTED);
  const lines = shownJobs.map(describeJob);
  const omittedCount = jobs.length - shownJobs.length;
  return {
    text: [
      ...(lines.length === 0 ? ["Nothing is scheduled."] : lines),
      ...(omittedCount === 0 ? [] : [`[and ${omittedCount} more]`]),
    ].join("\n"),
    failed: false,
    label: shownJobs.reduce<Label>((joined, { label }) => joinLabels(joined, label), TRUSTED_LABEL),
  };
};

export const pauseTask: RunHostTool<"pause_task", ScheduleParts> = async ({ name }, call, parts) => {
  if ((await findInScope(name, call, parts)) === undefined) return noSuchJobOutcome(name);
  try {
    const { proposal, ...times } = await parts.jobs.pause(call.agent, name, turnAuthorOf(call));
    return describeChange(call, `${name} is paused. Its times: ${times.understood}.`, proposal);
  } catch (error) {
    return toFailedOutcome(error);
  }
};

export const resumeTask: RunHostTool<"resume_task", ScheduleParts> = async ({ name }, call, parts) => {
  if ((await findInScope(name, call, parts)) === undefined) return noSuchJobOutcome(name);
  try {
    const { proposal, ...times } = await parts.jobs.resume(call.agent, name, turnAuthorOf(call));
    return describeChange(call, `${name} is resumed: ${describeTimes(times)}.`, proposal);
  } catch (error) {
    return toFailedOutcome(error);
  }
};

/** Cancels a job. Its results and past slots stay. */
export const cancelTask: RunHostTool<"cancel_task", ScheduleParts> = async ({ name }, call, parts) => {
  try {
    const isInScope = (await findInScope(name, call, parts)) !== undefined;
    // This call may have cancelled the job before a crash.
    if (!isInScope && (await parts.jobs.list(call.agent)).some(({ job }) => job.name === name))
      return noSuchJobOutcome(name);
    const { proposal } = await parts.jobs.cancel(call.agent, name, turnAuthorOf(call));
    return describeChange(call, `${name} is cancelled.`, proposal);
  } catch (error) {
    return toFailedOutcome(error);
  }
};
