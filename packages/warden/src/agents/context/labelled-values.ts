/** What an activation was given, as values with labels: what its hand begins with. */
import type { LabelledValue } from "../../policy/index.ts";
import { type AgentId, type Integrity, joinLabels, type Label, MAX_SOURCE_LENGTH, OWN } from "@hearth/protocol";
import type { Standing } from "./standing.ts";

export interface LabelledValuesOptions {
  readonly seen: Standing;
  /** The offset of the message that woke it: later ones of others are not read. */
  readonly cause: number;
  readonly agent: AgentId;
  readonly standings: Readonly<Record<string, Integrity>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The messages that it reads. */
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
      // The placeholder is the house's own text.
      if (damaged === true) return [{ text: body.text, label: OWN }];
      // What it wrote itself it may have been told to write.
      const own = labelOf(author === agent ? "trusted" : standings[author], names[author]);
      const all = joinLabels(own, label ?? OWN);
      const { promptLength } = job ?? {};
      if (promptLength === undefined) return [{ text: body.text, label: all }];
      // The prompt of a job is its owner's, whatever its webhook brought.
      const [prompt, brought] = [body.text.slice(0, promptLength), body.text.slice(promptLength)];
      return [
        { text: prompt, label: own },
        { text: brought, label: all },
      ];
    });

/** The label of what somebody said. Of somebody who is not known nothing is. */
export const labelOf = (integrity: Integrity = "untrusted", name = "someone"): Label => ({
  integrity,
  readers: "anyone",
  sources: integrity === "untrusted" ? [`a message of ${name}`.slice(0, MAX_SOURCE_LENGTH).toWellFormed()] : [],
});
