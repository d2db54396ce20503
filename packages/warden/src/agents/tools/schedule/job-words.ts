/** Describes jobs for a model, with local times. */
import { type AgentRecord, isHearthError, describeSources } from "@hearth/protocol";
import type { HostCall } from "../call.ts";
import type { OwnJob, Times } from "./jobs.ts";
import { failedOutcome, type HostOutcome } from "../tool.ts";

export const describeTimes = ({ understood, next, zone }: Times): string =>
  `${understood}${next.length === 0 ? "" : `; next: ${next.join(", ")} (${zone})`}`;

/** Returns the sentence for the model that its change is a proposal, and where a person approves it. */
export const describeProposal = ({ handle }: AgentRecord, proposal: string): string =>
  [
    "Nothing has changed yet: this turn has read what strangers wrote, so a person has to approve it first.",
    `They find it among your proposals in the UI, or approve it with: hearth brain approve ${handle} ${proposal}`,
  ].join(" ");

/** Describes a change of a job. `changeText` is the whole text unless the change waits for a person. */
export const describeChange = ({ agent }: HostCall, changeText: string, proposal: string | undefined): HostOutcome => ({
  text: proposal === undefined ? changeText : `${describeProposal(agent, proposal)}\nThen: ${changeText}`,
  failed: false,
});

const MAX_PROMPT_LENGTH = 200;

export const describeJob = ({ job, times, label }: OwnJob): string => {
  const { name, status, prompt, failures, last } = job;
  const text = prompt.replace(/\s+/g, " ");
  return [
    `${name} (${status === "active" ? describeTimes(times) : `${times.understood}; ${status}`}): ${shorten(text)}`,
    ...(failures === 0 ? [] : [`  failed ${failures} times in a row${last === undefined ? "" : `: ${last.reason}`}`]),
    ...[describeSources(label)].flatMap((line) => (line === undefined ? [] : [`  ${line}`])),
  ].join("\n");
};

const shorten = (text: string): string =>
  text.length <= MAX_PROMPT_LENGTH ? text : `${text.slice(0, MAX_PROMPT_LENGTH).toWellFormed()}…`;

/**
 * Returns a failed outcome for an error that the model can correct, and rethrows any other error.
 */
export const toFailedOutcome = (error: unknown): HostOutcome => {
  if (REFUSALS.some((code) => isHearthError(error, code)) && error instanceof Error)
    return failedOutcome(error.message);
  throw error;
};

const REFUSALS = [
  "job.invalid",
  "job.taken",
  "job.not-found",
  "brain.path",
  "brain.text",
  "brain.too-large",
  "brain.changed",
] as const;

export const noSuchJobOutcome = (name: string): HostOutcome =>
  failedOutcome(`There is no task ${JSON.stringify(name)} here. See what there is with list_tasks.`);
