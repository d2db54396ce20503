/**
 * Assembles one assistant message from pieces and rejects incomplete ones. Independent of the
 * wire's own shapes.
 */
import {
  MAX_UNREADABLE,
  MAX_VENDOR_DATA,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type ToolCall,
  type Usage,
  type VendorData,
} from "@hearth/protocol";
import { malformedError } from "../resilience/failure.ts";
import { asObject, parseJson } from "./json.ts";
import { createCallId } from "../resilience/prepare.ts";
import { cleanObject, cleanText, type Json } from "./text.ts";

/** A tool call as it arrived: its input is still the text that the model wrote. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** The end of an answer: everything except the text. */
export interface Ending {
  readonly stop: StopReason;
  readonly calls: readonly RawCall[];
  readonly usage: Usage;
  /** Data that the vendor requires back with the results of the calls, if any. */
  readonly vendor: VendorData | undefined;
}

export interface Reply {
  /** Adds text. Returns the delta to stream, or an empty list if there is no complete character. */
  text(piece: string): readonly ModelEvent[];
  /**
   * Returns the last events. Throws `provider.malformed` if a call has no name; unreadable arguments are
   * left for the model to fix. With `length` and `refusal` the calls are dropped, because the last
   * may be incomplete even if it parses. Vendor data is kept only with calls.
   */
  end(ending: Ending): readonly ModelEvent[];
}

export const createReply = (request: ModelRequest): Reply => {
  let text = "";
  /** A high surrogate whose second half has not arrived. */
  let highSurrogate = "";
  const emit = (piece: string): readonly ModelEvent[] => {
    const delta = piece.toWellFormed();
    text += delta;
    return delta === "" ? [] : [{ type: "text-delta", text: delta }];
  };
  return {
    text(piece) {
      const fullText = highSurrogate + piece;
      highSurrogate = /[\uD800-\uDBFF]$/.test(fullText) ? fullText.slice(-1) : "";
      return emit(highSurrogate === "" ? fullText : fullText.slice(0, -1));
    },
    end({ stop, calls, usage, vendor }) {
      const lastEvents = emit(highSurrogate);
      const completeCalls = stop === "length" || stop === "refusal" ? [] : toToolCalls(request, calls);
      const stopReason = stop === "end" && completeCalls.length > 0 ? "tool-calls" : stop;
      if (stopReason === "tool-calls" && completeCalls.length === 0)
        throw malformedError("The answer ends with a tool call but contains none.");
      const vendorPart =
        completeCalls.length > 0 && vendor !== undefined && vendor.data.length <= MAX_VENDOR_DATA ? { vendor } : {};
      const message = { role: "assistant", text, toolCalls: completeCalls, ...vendorPart } as const;
      return [...lastEvents, { type: "end", message, stopReason, usage }];
    },
  };
};

const toToolCalls = (request: ModelRequest, calls: readonly RawCall[]): ToolCall[] => {
  const usedIds = new Set<string>();
  return calls.map(({ id, name, input }, index) => {
    if (name === "") throw malformedError("A tool call in the answer has no name.");
    const callId = id === "" || usedIds.has(id) ? createCallId(request.messages.length, index) : id;
    usedIds.add(callId);
    return { id: callId, name, ...readInput(input) };
  });
};

/** Reads the arguments of a call. A call without arguments may arrive as an empty text. */
const readInput = (text: string): Pick<ToolCall, "input" | "unreadable"> => {
  if (text.trim() === "") return { input: {} };
  const input = asObject(parseJson(text));
  if (input === undefined) return { input: {}, unreadable: cleanText(text.slice(0, MAX_UNREADABLE)) };
  return { input: cleanObject(input as Readonly<Record<string, Json>>) };
};
