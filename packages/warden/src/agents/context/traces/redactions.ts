/**
 * Redacts forgotten text from the model requests of running turns. The redactions are only in
 * memory: after a crash, a turn resumes with the erased input and the erased call results.
 */
import type { ModelMessage, ModelRequest } from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";

/** The function that removes the forgotten text from a turn's texts, by turn. */
export type Redactions = Map<string, Redact>;
type Redact = (text: string) => string;

const FORGOTTEN_TEXT = "[forgotten]";
/** Minimum length of a line or a call result that is specific enough to identify the source. */
const MIN_SPECIFIC_LENGTH = 20;

/** Adds the function that redacts to the turns. `returnedTexts` holds whole texts of the source that calls returned. */
export const addRedactions = (
  redactions: Redactions,
  turns: Iterable<string>,
  { occursIn }: Pick<ForgetTarget, "occursIn">,
  returnedTexts: readonly string[],
): void => {
  const wholeTexts = new Set(returnedTexts.filter(({ length }) => length >= MIN_SPECIFIC_LENGTH));
  const redact: Redact = (text) => {
    if (wholeTexts.has(text)) return FORGOTTEN_TEXT;
    return text.replace(/[^\n]+/g, (line) => (occursIn(line) ? FORGOTTEN_TEXT : line));
  };
  for (const turn of turns) {
    const earlierRedact = redactions.get(turn);
    redactions.set(turn, earlierRedact === undefined ? redact : (text) => redact(earlierRedact(text)));
  }
};

/**
 * Removes the forgotten text from a request. People's messages stay. Data that a vendor sealed
 * refers to text positions, so redaction preserves the length of such text.
 */
export const redactRequest = (request: ModelRequest, redact: Redact | undefined): ModelRequest => {
  if (redact === undefined) return request;
  const toMessage = (message: ModelMessage): ModelMessage => {
    if (message.role === "user" || (message.role === "assistant" && message.vendor !== undefined)) return message;
    const text = redact(message.text);
    if (message.role === "assistant" || text !== FORGOTTEN_TEXT) return { ...message, text };
    // The whole result is removed, with its files.
    const { parts: _, ...withoutParts } = message;
    return { ...withoutParts, text };
  };
  return {
    ...request,
    system: request.system.map((part) => ({ ...part, text: redact(part.text) })),
    messages: request.messages.map(toMessage),
  };
};
