/** Texts about triggers, outcomes and reasons of runs. Pure. */
import type { Activation, ActivationDetail, ActivationState, AgentStatus, SkipReason, Trigger } from "@hearth/protocol";
import { describeError, plainWords } from "../../design/error-words.ts";

export const triggerWords: Readonly<Record<Trigger, string>> = {
  direct: "Direct message",
  mention: "Mention",
  ambient: "Group message",
  wake: "Message from a member who wakes all agents",
  inbox: "Message from another agent",
  job: "Scheduled job",
  heartbeat: "Scheduled check-in",
};

export const outcomeWords: Readonly<Record<ActivationState, string>> = {
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for approval",
  replied: "Replied",
  skipped: "No reply",
  failed: "Failed",
  stopped: "Stopped",
};

export const skipTitles: Readonly<Record<SkipReason, string>> = {
  cooldown: "Cooldown",
  relevance: "Not relevant",
  dedup: "Answered with a later message",
  admission: "Author not allowed",
  permission: "No write access",
  depth: "Limit of agent messages in a row",
  replies: "Limit of agent replies",
  budget: "Budget spent",
};

export const skipWords: Readonly<Record<SkipReason, string>> = {
  cooldown: "The agent wrote one of the last five messages, so it let others reply.",
  relevance: "The message was not relevant to the agent.",
  dedup: "Several messages arrived together; the agent answered the last one.",
  admission: "The author of the message may not wake agents in this room.",
  permission: "The agent has no write access to this room.",
  depth: "The limit of consecutive agent messages without a person was reached.",
  replies: "The limit of agent replies to one message of a person was reached.",
  budget: "The agent's budget is spent.",
};

/** Describes an outcome, for example "No reply: cooldown" or "Failed". */
export const describeOutcome = ({ state, skip, mergedInto }: Activation): string => {
  if (mergedInto !== undefined) return "Answered together with another message";
  if (state !== "skipped" || skip === undefined) return outcomeWords[state];
  const title = skipTitles[skip];
  return `${outcomeWords.skipped}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
};

/** Returns the reason, if it says more than the outcome. */
export const describeWhy = ({ skip, error, reason }: Activation): string | undefined =>
  skip !== undefined ? skipWords[skip] : error === undefined ? plainWords(reason) : describeError(error).title;

export const statusWords: Readonly<Record<AgentStatus, string>> = {
  idle: "Idle",
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for approval",
  held: "Stopped",
};

/** Formats a duration such as "420 ms", "3.4 s" or "2 min 5 s". Returns undefined until the end is known. */
export const formatDuration = (from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined || to === undefined) return undefined;
  const ms = Math.max(0, to - from);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/**
 * Formats token counts, for example "1,204 tokens in, 88 out". Marks estimates and missing reports.
 * Returns undefined without a model call.
 */
export const formatTokens = ({ usage }: Pick<Activation, "usage">, locale?: string): string | undefined => {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isPart = usage.estimated === true;
  if (input + usage.outputTokens === 0) return isPart ? "tokens not reported" : undefined;
  const tokenCounts = `${input.toLocaleString(locale)} tokens in, ${usage.outputTokens.toLocaleString(locale)} out`;
  return isPart ? `${tokenCounts} (estimated)` : tokenCounts;
};

/** Returns the title of one step of a run. */
export const describeStep = ({
  kind,
  name,
  step,
}: Pick<ActivationDetail["steps"][number], "kind" | "name" | "step">): string => {
  if (step < 0) return "Relevance check";
  if (kind === "model") return "Model call";
  return kind === "intake" ? "Received new messages" : `Tool call: ${name}`;
};
