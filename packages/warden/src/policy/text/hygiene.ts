/**
 * Cleans a request to a model, so that no text in it is hidden, ends a turn or imitates the house.
 * The room keeps the original text. Equal conversations are always cleaned in the same way.
 */
import { cleanObject, type Json } from "../../models/index.ts";
import type { ModelMessage, ModelRequest, Part, SystemPart, ToolCall, ToolMessage, ToolOffer } from "@hearth/protocol";
import { coverHidden, withoutHidden } from "./hygiene-hidden.ts";
import { withoutMarks, withoutTokens } from "./hygiene-marks.ts";
import { memoize } from "./memoize.ts";

/** Cleans text of any author. Idempotent. */
export const cleanText = memoize((text) => withoutMarks(withoutHidden(text)));

/**
 * Cleans a name or a title for a text of the house: one line, without characters that end the text.
 */
export const cleanName = (name: string): string => cleanNote(name.replaceAll(",", " ")).trim();

/** Cleans a whole request. */
export const cleanRequest = (request: ModelRequest): ModelRequest => ({
  ...request,
  system: request.system.map(cleanPart),
  messages: request.messages.map(cleanMessage),
  tools: request.tools.map(cleanOffer),
});

/**
 * Cleans text of the house and its owner, which may contain role names and example conversations.
 */
const cleanOwnerText = memoize((text) => withoutTokens(withoutHidden(text)));

const cleanPart = (part: SystemPart): SystemPart => ({ ...part, text: cleanOwnerText(part.text) });

const cleanMessage = (message: ModelMessage): ModelMessage => {
  switch (message.role) {
    case "user": {
      const { text, note, parts } = message;
      return {
        role: "user",
        text: cleanText(text),
        ...(note === undefined ? {} : { note: cleanNote(note) }),
        ...(parts === undefined ? {} : { parts: parts.map(cleanFile) }),
      };
    }
    case "tool":
      return {
        ...message,
        text: withoutFrame(cleanText(message.text), message),
        ...(message.parts === undefined ? {} : { parts: message.parts.map(cleanFile) }),
      };
    case "assistant": {
      // A vendor's sealed content refers to positions in the text, so every character keeps its
      // position.
      const text = message.vendor === undefined ? cleanText(message.text) : withoutMarks(coverHidden(message.text));
      return { ...message, text, toolCalls: message.toolCalls.map(cleanCall) };
    }
  }
};

/** Cleans the text of a file, or the name of a file that is not text. */
const cleanFile = (part: Part): Part =>
  part.kind === "text" ? { ...part, text: cleanText(part.text) } : { ...part, name: cleanText(part.name) };

/** Removes a frame's end from the text inside the frame. */
const withoutFrame = (text: string, { frame }: ToolMessage): string =>
  frame === undefined ? text : text.replaceAll(frame, "·".repeat(frame.length));

/**
 * Cleans a note of the house around names that other people chose. Only the house may end the note.
 */
const cleanNote = memoize((note) =>
  withoutMarks(withoutHidden(note))
    .replace(/\s+/gu, " ")
    .replace(/[[\]]/g, (bracket) => (bracket === "[" ? "‹" : "›")),
);

/** Cleans a call. The model wrote it and may have copied untrusted text into it. */
const cleanCall = (call: ToolCall): ToolCall => ({ ...call, input: cleanObject(call.input, cleanText) });

/** A cache, because each tool is the same immutable object in every request. */
const cleanOffers = new WeakMap<ToolOffer, ToolOffer>();

const cleanOffer = (offer: ToolOffer): ToolOffer => {
  const cached = cleanOffers.get(offer);
  if (cached !== undefined) return cached;
  const cleanedOffer: ToolOffer = {
    name: offer.name,
    description: cleanText(offer.description),
    // Every tool's schema is JSON.
    inputSchema: cleanObject(offer.inputSchema as Record<string, Json>, cleanOwnerText),
  };
  cleanOffers.set(offer, cleanedOffer);
  return cleanedOffer;
};
