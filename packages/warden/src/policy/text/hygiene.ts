/**
 * A request to a model without what is not plainly text: nothing in it is hidden, ends a turn, or claims to be the house's word. What people said
 * stays in the room as they said it; only what is sent to a model is cleaned, so the same conversation is always sent alike.
 */
import { cleanObject, type Json } from "../../models/index.ts";
import type { ModelMessage, ModelRequest, SystemPart, ToolCall, ToolMessage, ToolOffer } from "@hearth/protocol";
import { coverHidden, withoutHidden } from "./hygiene-hidden.ts";
import { withoutMarks, withoutTokens } from "./hygiene-marks.ts";
import { remembered } from "../approvals/remembered.ts";

/** What somebody wrote, wherever it came from. Cleaned once more it is the same. */
export const cleanText = remembered((text) => withoutMarks(withoutHidden(text)));

/** A name or a title among words of the house: one line, without what would part it from them or into several. */
export const cleanName = (name: string): string => cleanNote(name.replaceAll(",", " ")).trim();

/** All of it. */
export const cleanRequest = (request: ModelRequest): ModelRequest => ({
  ...request,
  system: request.system.map(cleanPart),
  messages: request.messages.map(cleanMessage),
  tools: request.tools.map(cleanOffer),
});

/** What the house and its owner wrote: they may write of roles, and show how talk looks. */
const cleanOwn = remembered((text) => withoutTokens(withoutHidden(text)));

const cleanPart = (part: SystemPart): SystemPart => ({ ...part, text: cleanOwn(part.text) });

const cleanMessage = (message: ModelMessage): ModelMessage => {
  switch (message.role) {
    case "user": {
      const { text, note } = message;
      return { role: "user", text: cleanText(text), ...(note === undefined ? {} : { note: cleanNote(note) }) };
    }
    case "tool":
      return { ...message, text: withoutFrame(cleanText(message.text), message) };
    case "assistant": {
      // What its vendor sealed says where in the text it stands: there every sign keeps its place.
      const text = message.vendor === undefined ? cleanText(message.text) : withoutMarks(coverHidden(message.text));
      return { ...message, text, toolCalls: message.toolCalls.map(cleanCall) };
    }
  }
};

/** Nobody's words end the frame that they stand in. */
const withoutFrame = (text: string, { frame }: ToolMessage): string =>
  frame === undefined ? text : text.replaceAll(frame, "·".repeat(frame.length));

/** The house wrote it, around names that others gave. It ends where the house ends it. */
const cleanNote = remembered((note) =>
  withoutMarks(withoutHidden(note))
    .replace(/\s+/gu, " ")
    .replace(/[[\]]/g, (sign) => (sign === "[" ? "‹" : "›")),
);

/** A model wrote it, and may have copied what is in it. */
const cleanCall = (call: ToolCall): ToolCall => ({ ...call, input: cleanObject(call.input, cleanText) });

/** A tool is offered as the same object in every request, and nobody changes one. */
const cleanOffers = new WeakMap<ToolOffer, ToolOffer>();

const cleanOffer = (offer: ToolOffer): ToolOffer => {
  const kept = cleanOffers.get(offer);
  if (kept !== undefined) return kept;
  const clean: ToolOffer = {
    name: offer.name,
    description: cleanText(offer.description),
    // A schema is JSON, whoever declares the tool.
    inputSchema: cleanObject(offer.inputSchema as Record<string, Json>, cleanOwn),
  };
  cleanOffers.set(offer, clean);
  return clean;
};
