/** What woke an agent, what came of it and why, in a person's words. Pure. */
import type { Activation, ActivationDetail, ActivationState, AgentStatus, SkipReason, Trigger } from "@hearth/protocol";
import { describeError, plainWords } from "../design/error-words.ts";

export const triggerWords: Readonly<Record<Trigger, string>> = {
  direct: "Said to it in their own room",
  mention: "Its name was called",
  ambient: "Talk that may concern it",
  wake: "Somebody whose every word wakes it",
  inbox: "Another agent asked",
  job: "A job of its own was due",
  heartbeat: "It was time to look at its list",
};

export const outcomeWords: Readonly<Record<ActivationState, string>> = {
  queued: "Waits for its turn",
  running: "At work",
  waiting: "Waits for a decision",
  replied: "Replied",
  skipped: "Kept quiet",
  failed: "Failed",
  stopped: "Was stopped",
};

export const skipTitles: Readonly<Record<SkipReason, string>> = {
  cooldown: "It had just spoken",
  relevance: "Did not concern it",
  dedup: "A later message stands for it",
  admission: "The author may not wake it",
  permission: "It may not speak there",
  depth: "Bots had answered bots for long enough",
  replies: "Bots had said enough",
  budget: "Its budget is spent",
};

export const skipWords: Readonly<Record<SkipReason, string>> = {
  cooldown: "It wrote one of the last five messages, so it let others speak.",
  relevance: "What was said did not concern it.",
  dedup: "More was said at once, and it looked at the last message instead.",
  admission: "Whoever wrote it may not wake agents in this room.",
  permission: "It may not speak in this room.",
  depth: "Bots had answered each other for as long as they may without a person.",
  replies: "Bots had replied as often as they may to what a person said.",
  budget: "It has spent what it may.",
};

/** "Kept quiet: it had just spoken", "Failed: …". */
export const tellOutcome = ({ state, skip, mergedInto }: Activation): string => {
  if (mergedInto !== undefined) return "Answered with another message";
  if (state !== "skipped" || skip === undefined) return outcomeWords[state];
  const title = skipTitles[skip];
  return `${outcomeWords.skipped}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
};

/** Why, where there is more to say than the outcome itself. */
export const tellWhy = ({ skip, error, reason }: Activation): string | undefined =>
  skip !== undefined ? skipWords[skip] : error === undefined ? plainWords(reason) : describeError(error).title;

export const statusWords: Readonly<Record<AgentStatus, string>> = {
  idle: "Idle",
  queued: "Queued",
  running: "Running",
  waiting: "Waiting for a decision",
  held: "Stopped",
};

/** "420 ms", "3.4 s", "2 min 5 s"; nothing for what has not ended. */
export const tellDuration = (from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined || to === undefined) return undefined;
  const ms = Math.max(0, to - from);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** "1,204 tokens in, 88 out"; what a model did not report is said not to be known; nothing where none was asked. */
export const tellTokens = ({ usage }: Pick<Activation, "usage">, locale?: string): string | undefined => {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isPart = usage.estimated === true;
  if (input + usage.outputTokens === 0) return isPart ? "tokens not reported" : undefined;
  const told = `${input.toLocaleString(locale)} tokens in, ${usage.outputTokens.toLocaleString(locale)} out`;
  return isPart ? `${told} (estimated)` : told;
};

/** What a call of the journal was. */
export const tellStep = ({
  kind,
  name,
  step,
}: Pick<ActivationDetail["steps"][number], "kind" | "name" | "step">): string => {
  if (step < 0) return "Asked whether this concerns it";
  if (kind === "model") return "Asked its model";
  return kind === "intake" ? "Took in what was said meanwhile" : `Used ${name}`;
};
