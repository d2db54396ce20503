/** Texts about runs and tool calls. Pure. */
import type { LiveActivation } from "@hearth/client";
import type { ActivationPart } from "@hearth/protocol";
import { describeRetry } from "../../design/error-words.ts";
import { locale } from "../../language/locale.ts";
import { toolWords } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "../text.ts";

export type ToolPart = Extract<ActivationPart, { kind: "tool" }>;

const MAX_ARGUMENT = 80;

/** Returns the main argument of a call on one line, or undefined if it has no main argument. */
export const argumentOf = ({ name, input }: Pick<ToolPart, "name" | "input">): string | undefined => {
  const words = toolWords(name);
  const field = words?.object ?? words?.detail;
  const text = field === undefined ? onlyTextOf(input) : fieldOf(input, field);
  return text === undefined || text.trim() === "" ? undefined : toVisible(toOneLine(text, MAX_ARGUMENT));
};

/** Returns the words before the argument, for example "Reading" or "Read". */
export const nameCall = ({ name, state }: Pick<ToolPart, "name" | "state">): string => {
  const isRunning = state === "running";
  const { doing, done } = toolWords(name) ?? texts.useOfTool(toVisible(name));
  return isRunning ? doing : done;
};

/** Returns the words before the argument on a card, where a command is its own name: "Ran npm test". */
export const verbOf = (part: Pick<ToolPart, "name" | "state">): string => {
  if (toolWords(part.name)?.command === undefined) return nameCall(part);
  return part.state === "running" ? texts.runningCommand : texts.ranCommand;
};

export const nameState = ({ state }: Pick<ToolPart, "state">): string => texts.callStates[state];

/** Returns the input of a call: a command as it is, any other input as JSON. */
export const inputOf = ({ name, input }: Pick<ToolPart, "name" | "input">): string => {
  const field = toolWords(name)?.command;
  return (field === undefined ? undefined : fieldOf(input, field)) ?? JSON.stringify(input, undefined, 2);
};

/** Returns the number of tools, for example "Used 3 tools". */
export const countTools = (count: number): string => texts.usedTools(count);

/** Formats a duration: "420 ms", "3.4 s", "12 s", "3 min 5 s". */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(Math.max(0, ms))} ms` : ms < 9950 ? `${formatDecimal(ms / 1000)} s` : formatSeconds(ms);

const formatDecimal = (value: number): string =>
  value.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Formats a duration that is still growing, in whole seconds. */
const formatSeconds = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

export interface Activity {
  readonly words: string;
  /** Start time in UTC milliseconds. Undefined if the duration is not shown. */
  readonly since?: number;
  /** When the next attempt at a model call is due, and its number if it is known. */
  readonly retry?: { readonly at: number; readonly attempt?: string };
}

/** Describes the current activity of a run. Runs of a stopped agent wait until a person resumes the agent. */
export const describeActivity = (
  { state, since, parts, isStopping, retryAt, retry }: LiveActivation,
  holdState: "held" | "free" = "free",
): Activity => {
  if (isStopping) return { words: texts.stoppingNow };
  if (state === "waiting") return { words: texts.waitingForApproval, since };
  if (state === "queued" && retryAt !== undefined) return { words: texts.modelNotAvailable, retry: { at: retryAt } };
  if (state === "queued")
    return holdState === "held" ? { words: texts.waitingToBeResumed } : { words: texts.queued, since };
  if (retry !== undefined) {
    const { error, attempt, attempts, retryAt } = retry;
    return { words: describeRetry(error), retry: { at: retryAt, attempt: texts.attemptOf(attempt, attempts) } };
  }
  const lastPart = parts.at(-1);
  if (lastPart === undefined) return { words: texts.thinking, since };
  if (lastPart.kind === "text") return { words: texts.writing };
  if (lastPart.state !== "running") return { words: texts.thinking, since: endOf(lastPart) ?? since };
  const argument = toolWords(lastPart.name)?.object === undefined ? undefined : argumentOf(lastPart);
  return {
    words: argument === undefined ? nameCall(lastPart) : `${nameCall(lastPart)} ${argument}`,
    since: lastPart.startedAt ?? since,
  };
};

/** A duration is shown after this time. */
const MIN_SHOWN_WAIT_MS = 3000;

/**
 * Describes the duration, or the time until a retry. Returns undefined if the local clock is behind
 * that of the house.
 */
export const describeWait = ({ since, retry }: Activity, now: number): string | undefined => {
  if (retry !== undefined) {
    const waitText = retry.at > now ? texts.retryingIn(formatSeconds(retry.at - now)) : texts.retryingNow;
    return retry.attempt === undefined ? waitText : `${waitText} (${retry.attempt})`;
  }
  return since === undefined || now - since < MIN_SHOWN_WAIT_MS ? undefined : formatSeconds(now - since);
};

export const toOneLine = (text: string, maxLength: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`;
};

const endOf = ({ startedAt, durationMs }: ToolPart): number | undefined =>
  startedAt === undefined ? undefined : startedAt + (durationMs ?? 0);

const fieldOf = (input: ToolPart["input"], field: string): string | undefined => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  return typeof value === "string" ? value : undefined;
};

/** Returns the only text field of an input, or undefined if it has other fields. Used for unknown tools. */
const onlyTextOf = (input: ToolPart["input"]): string | undefined => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const [firstValue, ...otherValues] = Object.values(input);
  return typeof firstValue === "string" && otherValues.length === 0 ? firstValue : undefined;
};
