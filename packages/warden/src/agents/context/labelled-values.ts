/** Converts an activation's input to labelled values, the initial taint context. */
import type { LabelledValue } from "../../policy/index.ts";
import { type AgentId, type Integrity, joinLabels, type Label, MAX_SOURCE_LENGTH, OWN } from "@hearth/protocol";
import type { CurrentMessages } from "./current-messages.ts";

export interface LabelledValuesOptions {
  readonly seen: CurrentMessages;
  /** Offset of the message that woke it. Later messages of others are not read. */
  readonly cause: number;
  readonly agent: AgentId;
  readonly standings: Readonly<Record<string, Integrity>>;
  readonly names: Readonly<Record<string, string>>;
}

/** Returns the messages that the activation reads, with their labels. */
export const labelMessages = ({
  seen,
  cause,
  agent,
  standings,
  names,
}: LabelledValuesOptions): readonly LabelledValue[] =>
  seen.messages
    .filter(({ id, author, offset }) => !seen.removed.has(id) && (author === agent || offset <= cause))
    .flatMap(({ author, body, job, label, damaged }) => {
      // The house wrote the placeholder text.
      if (damaged === true) return [{ text: body.text, label: OWN }];
      // Untrusted input may have caused the agent's own messages, so they are only trusted.
      const own = labelOf(author === agent ? "trusted" : standings[author], names[author]);
      const all = joinLabels(own, label ?? OWN);
      const { promptLength } = job ?? {};
      if (promptLength === undefined) return [{ text: body.text, label: all }];
      // A job's prompt has its owner's label, whatever its webhook brought.
      const [prompt, brought] = [body.text.slice(0, promptLength), body.text.slice(promptLength)];
      return [
        { text: prompt, label: own },
        { text: brought, label: all },
      ];
    });

/** Returns the label of an author's text. Text of an unknown author is untrusted. */
export const labelOf = (integrity: Integrity = "untrusted", name = "someone"): Label => ({
  integrity,
  readers: "anyone",
  sources: integrity === "untrusted" ? [`a message of ${name}`.slice(0, MAX_SOURCE_LENGTH).toWellFormed()] : [],
});
