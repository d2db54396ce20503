/**
 * A move of the offline provider (a tool call or an answer) and the phrases that its answers share.
 * Pure.
 */
import type { ToolMessage, ToolOffer } from "@hearth/protocol";

export interface RequestContext {
  readonly offers: readonly ToolOffer[];
  /** The tool results since the request, oldest first. */
  readonly results: readonly ToolMessage[];
  /** The system prompt. */
  readonly system: string;
}

export type Move =
  | { readonly say: string }
  | { readonly call: string; readonly input: Readonly<Record<string, string | number | boolean>> };

/** Calls the tool, and answers once there is a result. */
export const oneCall = (
  { offers, results }: RequestContext,
  tool: string,
  input: Readonly<Record<string, string | number | boolean>>,
  answer: (text: string) => string,
): Move => {
  const result = results.at(-1);
  if (result !== undefined) return { say: result.failed ? describeFailure(result.text) : answer(result.text) };
  return offers.some((offer) => offer.name === tool) ? { call: tool, input } : { say: describeMissing(tool) };
};

export const describeMissing = (tool: string): string =>
  `For that I need the tool \`${tool}\`, which is not enabled for me. A person can enable it: \`hearth agent edit NAME --tools +${tool}\``;

export const describeFailure = (text: string): string => block("That did not work:", text);

/**
 * Formats a text as a code block. Its fence is longer than any in the text, so that the text cannot
 * close it.
 */
export const block = (title: string, text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${title}\n\n${fence}\n${text.replace(/\n+$/, "")}\n${fence}`;
};

/** Returns a text as a regular expression that matches only the text itself. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
