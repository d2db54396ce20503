/** Texts about triggers, outcomes and reasons of runs. Pure. */
import type { Activation, ActivationDetail, ActivationState, AgentStatus, SkipReason, Trigger } from "@hearth/protocol";
import { describeError, plainWords } from "../../design/error-words.ts";
import { locale } from "../../language/locale.ts";
import * as texts from "./text.ts";

export const triggerWords: Readonly<Record<Trigger, string>> = texts.triggers;
export const outcomeWords: Readonly<Record<ActivationState, string>> = texts.outcomes;
export const skipTitles: Readonly<Record<SkipReason, string>> = texts.skipTitles;
export const skipWords: Readonly<Record<SkipReason, string>> = texts.skipReasons;

/** Describes an outcome, for example "No reply: cooldown" or "Failed". */
export const describeOutcome = ({ state, skip, mergedInto }: Activation): string => {
  if (mergedInto !== undefined) return texts.answeredTogether;
  if (state !== "skipped" || skip === undefined) return outcomeWords[state];
  return texts.skippedBecause(skipTitles[skip]);
};

/** Returns the reason, if it says more than the outcome. */
export const describeReason = ({ skip, error, reason }: Activation): string | undefined =>
  skip !== undefined ? skipWords[skip] : error === undefined ? plainWords(reason) : describeError(error).title;

export const statusWords: Readonly<Record<AgentStatus, string>> = texts.agentStatuses;

/** Formats a duration such as "420 ms", "3.4 s" or "2 min 5 s". Returns undefined until the end is known. */
export const formatDuration = (from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined || to === undefined) return undefined;
  const ms = Math.max(0, to - from);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${formatDecimal(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

const formatDecimal = (value: number): string =>
  value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Formats token counts, for example "1,204 tokens in, 88 out". Marks estimates and missing reports.
 * Returns undefined without a model call.
 */
export const formatTokens = ({ usage }: Pick<Activation, "usage">, tag: string = locale): string | undefined => {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isEstimated = usage.estimated === true;
  if (input + usage.outputTokens === 0) return isEstimated ? texts.tokensNotReported : undefined;
  const tokenCounts = texts.tokensInAndOut(input.toLocaleString(tag), usage.outputTokens.toLocaleString(tag));
  return isEstimated ? texts.estimated(tokenCounts) : tokenCounts;
};

/** Returns the title of one step of a run. */
export const describeStep = ({
  kind,
  name,
  step,
}: Pick<ActivationDetail["steps"][number], "kind" | "name" | "step">): string => {
  if (step < 0) return texts.relevanceCheck;
  if (kind === "model") return texts.modelCall;
  return kind === "intake" ? texts.receivedNewMessages : texts.toolCall(name);
};
