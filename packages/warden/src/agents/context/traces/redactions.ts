/**
 * Redacts forgotten text from the model requests of running turns. Kept in memory alone: after a
 * crash a turn resumes with the erased input and the erased call results.
 */
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";

/** Turn → function that removes the forgotten text. */
export type Redactions = Map<string, Without>;
type Without = (text: string) => string;

const GONE = "[forgotten]";
/** Shorter lines and call results are not specific enough to identify the source. */
const MIN_GIVEN = 20;

/** `given`: whole texts of the source that calls returned. */
export const redactIn = (
  redactions: Redactions,
  turns: Iterable<string>,
  { isSaidIn }: Pick<ForgetTarget, "isSaidIn">,
  given: readonly string[],
): void => {
  const whole = new Set(given.filter(({ length }) => length >= MIN_GIVEN));
  const without: Without = (text) => {
    if (whole.has(text)) return GONE;
    return text.replace(/[^\n]+/g, (line) => (isSaidIn(line) ? GONE : line));
  };
  for (const turn of turns) {
    const before = redactions.get(turn);
    redactions.set(turn, before === undefined ? without : (text) => without(before(text)));
  }
};

/**
 * People's messages stay. Vendor-sealed data refers to text positions, so redaction there preserves
 * lengths.
 */
export const withoutRedacted = (request: ModelRequest, without: Without | undefined): ModelRequest => {
  if (without === undefined) return request;
  const toMessage = (message: ModelMessage): ModelMessage => {
    if (message.role === "user" || (message.role === "assistant" && message.vendor !== undefined)) return message;
    const text = without(message.text);
    if (message.role === "assistant" || text !== GONE) return { ...message, text };
    // Remove the whole result, with its files.
    const { parts: _, ...rest } = message;
    return { ...rest, text };
  };
  return {
    ...request,
    system: request.system.map((part) => ({ ...part, text: without(part.text) })),
    messages: request.messages.map(toMessage),
  };
};
