/** Converts an activation's input to labelled values, the initial taint context. */
import type { LabelledValue } from "../../policy/index.ts";
import {
  type AgentId,
  type Integrity,
  joinLabels,
  type Label,
  MAX_SOURCE_LENGTH,
  OWNER_LABEL,
  modelText,
  textsOf,
} from "@hearth/protocol";
import { type MessageParts, NO_PARTS } from "./history.ts";
import type { CurrentMessages } from "./current-messages.ts";

export interface LabelledValuesOptions {
  readonly current: CurrentMessages;
  /** The files whose text the agent reads. It is absent if the agent reads no files. */
  readonly attached?: MessageParts;
  /**
   * Offset of the message that woke the agent. The agent reads no later messages of other
   * authors.
   */
  readonly cause: number;
  readonly agent: AgentId;
  readonly standings: Readonly<Record<string, Integrity>>;
  readonly names: Readonly<Record<string, string>>;
}

/** Returns the messages that the activation reads, with their labels. */
export const labelMessages = ({
  current,
  attached = NO_PARTS,
  cause,
  agent,
  standings,
  names,
}: LabelledValuesOptions): readonly LabelledValue[] =>
  current.messages
    .filter(({ id, author, offset }) => !current.removed.has(id) && (author === agent || offset <= cause))
    .flatMap((message) => {
      const { author, body, job, label, damaged } = message;
      // The house wrote the placeholder of a damaged text.
      if (damaged === true) return [{ text: body.text, label: OWNER_LABEL }];
      // Untrusted input may have caused the agent's own messages, so they are only trusted.
      const authorLabel = labelOf(author === agent ? "trusted" : standings[author], names[author]);
      const messageLabel = joinLabels(authorLabel, label ?? OWNER_LABEL);
      const { promptLength } = job ?? {};
      if (promptLength === undefined)
        return [modelText(message), ...textsOf(attached.get(message.id))].map((text) => ({
          text,
          label: messageLabel,
        }));
      // A job's prompt has its owner's label. Text appended to the prompt has the message's label.
      const prompt = body.text.slice(0, promptLength);
      const appendedText = body.text.slice(promptLength);
      return [
        { text: prompt, label: authorLabel },
        { text: appendedText, label: messageLabel },
      ];
    });

/** Returns the label of an author's text. Text of an unknown author is untrusted. */
export const labelOf = (integrity: Integrity = "untrusted", name = "someone"): Label => ({
  integrity,
  readers: "anyone",
  sources: integrity === "untrusted" ? [`a message of ${name}`.slice(0, MAX_SOURCE_LENGTH).toWellFormed()] : [],
});
