/**
 * Reconstructs the messages of an inmate's model requests. A request contains only the messages
 * that are new, and the number of messages of the previous request that precede them.
 */
import { sizeOf } from "../../cells/index.ts";
import { type ActivationInput, HearthError, MAX_MESSAGE_SIZE, type ModelMessage } from "@hearth/protocol";

export interface RequestHistory {
  /**
   * Returns all messages of this request. Throws `cell.protocol` if it keeps messages that do not
   * exist, or if the total exceeds the limit.
   */
  complete(request: { readonly kept: number; readonly messages: readonly ModelMessage[] }): readonly ModelMessage[];
}

/** `history` is the inmate's input: the first request begins with it. */
export const createRequestHistory = (history: readonly ModelMessage[]): RequestHistory => {
  let previousMessages = history;
  /** Approximate total of added messages, in characters. */
  let addedLength = 0;
  return {
    complete({ kept, messages }) {
      if (kept > previousMessages.length)
        throw protocolViolation(
          `The inmate's request keeps ${kept} messages, but the last request had ${previousMessages.length}.`,
        );
      addedLength += sizeOf(messages);
      if (addedLength > MAX_MESSAGE_SIZE)
        throw protocolViolation(`The inmate's model requests exceed ${MAX_MESSAGE_SIZE} characters in total.`);
      previousMessages = [...previousMessages.slice(0, kept), ...messages];
      return previousMessages;
    },
  };
};

/** Returns the input for the cell: without the messages before the first tool result. */
export const toCellInput = (input: ActivationInput): ActivationInput => {
  const firstResult = input.history.findIndex(({ role }) => role === "tool");
  const withheldCount = firstResult === -1 ? input.history.length : firstResult;
  return { ...input, history: input.history.slice(withheldCount), withheld: withheldCount };
};

const protocolViolation = (message: string): HearthError => new HearthError("cell.protocol", message);
