/**
 * Reconstructs an inmate's model requests. Each request says how many messages of the previous one
 * it keeps and which messages follow, so a conversation crosses the link once, however often the
 * model is called.
 */
import { sizeOf } from "../../cells/index.ts";
import { type ActivationInput, HearthError, MAX_MESSAGE_SIZE, type ModelMessage } from "@hearth/protocol";

export interface RequestHistory {
  /**
   * Returns the whole conversation of this request. Throws `cell.protocol` when it keeps messages
   * that do not exist or the total grows past the limit.
   */
  take(request: { readonly kept: number; readonly messages: readonly ModelMessage[] }): readonly ModelMessage[];
}

/** `history` is the inmate's input: the first request begins with it. */
export const createRequestHistory = (history: readonly ModelMessage[]): RequestHistory => {
  let previousMessages = history;
  /** Approximate total of added messages, in characters. */
  let added = 0;
  return {
    take({ kept, messages }) {
      if (kept > previousMessages.length)
        throw broken(
          `The inmate's request keeps ${kept} messages, but the last request had ${previousMessages.length}.`,
        );
      added += sizeOf(messages);
      if (added > MAX_MESSAGE_SIZE)
        throw broken(`The inmate's model requests exceed ${MAX_MESSAGE_SIZE} characters in total.`);
      previousMessages = [...previousMessages.slice(0, kept), ...messages];
      return previousMessages;
    },
  };
};

/** The input as the cell receives it: without the messages that its loop only counts. */
export const toCellInput = (input: ActivationInput): ActivationInput => {
  const first = input.history.findIndex(({ role }) => role === "tool");
  const withheld = first === -1 ? input.history.length : first;
  return { ...input, history: input.history.slice(withheld), withheld };
};

const broken = (what: string): HearthError => new HearthError("cell.protocol", what);
