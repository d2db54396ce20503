/**
 * What an inmate asks its model with. Each request says how many messages of the one before it begins with, and what comes after them: a
 * conversation crosses the link once, however often the model is asked.
 */
import { sizeOf } from "../../cells/index.ts";
import { HearthError, MAX_MESSAGE_SIZE, type ModelMessage } from "@hearth/protocol";

export interface RequestHistory {
  /** The conversation of this request, whole. Throws `cell.protocol` when it begins with what nobody said, or grows without end. */
  take(request: { readonly kept: number; readonly messages: readonly ModelMessage[] }): readonly ModelMessage[];
}

/** `history` is what the inmate was given: the first request begins with it. */
export const createRequestHistory = (history: readonly ModelMessage[]): RequestHistory => {
  let asked = history;
  /** Of all that it has added, about, in characters. */
  let added = 0;
  return {
    take({ kept, messages }) {
      if (kept > asked.length) throw broken(`The inmate keeps ${kept} messages where there were ${asked.length}.`);
      added += sizeOf(messages);
      if (added > MAX_MESSAGE_SIZE) throw broken("The inmate asked the model with more than a link carries at once.");
      asked = [...asked.slice(0, kept), ...messages];
      return asked;
    },
  };
};

const broken = (what: string): HearthError => new HearthError("cell.protocol", what);
