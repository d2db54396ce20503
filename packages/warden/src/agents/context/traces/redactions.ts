/**
 * What was forgotten while turns ran. Their cells have it in hand; what they ask a model from then on does not hold it. Kept in memory alone: after a
 * crash a turn goes on with what is left of what it was given, and with what its calls gave.
 */
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";

/** Turn → a text without it. */
export type Redactions = Map<string, Without>;
type Without = (text: string) => string;

const GONE = "[forgotten]";
/** What is shorter, and the whole of what a call gave, says nothing by itself. */
const MIN_GIVEN = 20;

/** `given`: whole texts that calls gave of it. */
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

/** What people said stays theirs. What a vendor sealed says where in its text it stands: there every sign keeps its place. */
export const withoutRedacted = (request: ModelRequest, without: Without | undefined): ModelRequest => {
  if (without === undefined) return request;
  const toMessage = (message: ModelMessage): ModelMessage => {
    if (message.role === "user" || (message.role === "assistant" && message.vendor !== undefined)) return message;
    const text = without(message.text);
    if (message.role === "assistant" || text !== GONE) return { ...message, text };
    // What it gave is gone whole, and with it what it showed.
    const { image: _, ...rest } = message;
    return { ...rest, text };
  };
  return {
    ...request,
    system: request.system.map((part) => ({ ...part, text: without(part.text) })),
    messages: request.messages.map(toMessage),
  };
};
