/**
 * Redacts forgotten text from the model requests of running turns. The redactions are only in
 * memory: after a crash, a turn resumes with the erased input and the erased call results.
 */
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";

/** The function that removes the forgotten text from a turn's texts, by turn. */
export type Redactions = Map<string, Without>;
type Without = (text: string) => string;

const GONE = "[forgotten]";
/** Minimum length of a line or a call result that is specific enough to identify the source. */
const MIN_SPECIFIC_LENGTH = 20;

/**
 * Creates the function that redacts. `given` holds whole texts of the source that calls returned.
 */
export const redactIn = (
  redactions: Redactions,
  turns: Iterable<string>,
  { isSaidIn }: Pick<ForgetTarget, "isSaidIn">,
  given: readonly string[],
): void => {
  const whole = new Set(given.filter(({ length }) => length >= MIN_SPECIFIC_LENGTH));
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
 * Removes the forgotten text from a request. People's messages stay. Data that a vendor sealed
 * refers to text positions, so redaction preserves the length of such text.
 */
export const withoutRedacted = (request: ModelRequest, without: Without | undefined): ModelRequest => {
  if (without === undefined) return request;
  const toMessage = (message: ModelMessage): ModelMessage => {
    if (message.role === "user" || (message.role === "assistant" && message.vendor !== undefined)) return message;
    const text = without(message.text);
    if (message.role === "assistant" || text !== GONE) return { ...message, text };
    // The whole result is removed, with its files.
    const { parts: _, ...rest } = message;
    return { ...rest, text };
  };
  return {
    ...request,
    system: request.system.map((part) => ({ ...part, text: without(part.text) })),
    messages: request.messages.map(toMessage),
  };
};
