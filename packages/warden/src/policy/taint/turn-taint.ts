/**
 * The taint of an activation: every labelled value that the activation has read, in order. Stages
 * judge its calls by this taint.
 */
import { joinLabels, type Label, OWNER_LABEL, type ToolCall } from "@hearth/protocol";
import { createNamed, type Named, type NamingText, readNames } from "./provenance-named.ts";

/** A value as the model read it, with its label. */
export interface LabelledValue {
  readonly text: string;
  readonly label: Label;
}

export interface TurnTaint {
  /** The joined label of all values. */
  readonly label: Label;
  readonly values: readonly LabelledValue[];
  /**
   * The names in the owner's texts read so far. An agent may act on texts of `trusted` people,
   * but these name no target of a call.
   */
  readonly owner: Named;
}

export interface OpenTurnTaint extends TurnTaint {
  add(held: LabelledValue): void;
  /** Records the calls of a model's answer with the taint at this moment. */
  recordCalls(calls: readonly ToolCall[]): void;
  /**
   * Returns the taint at the moment when the model made this call in its last answer, because
   * later input cannot have caused it. Returns the whole taint for a call that is not in that
   * answer, or not as often.
   */
  taintOf(call: ToolCall): TurnTaint;
  /** The hosts that the activation's commands reached. */
  readonly hosts: readonly string[];
  reach(host: string): void;
}

/** Creates an empty taint. */
export const createTurnTaint = (): OpenTurnTaint => {
  const values: LabelledValue[] = [];
  /** The owner's texts among the values. Each is scanned once. */
  const owned: NamingText[] = [];
  const hosts: string[] = [];
  let label = OWNER_LABEL;
  let decided: TurnTaint = NO_TAINT;
  let calls: readonly string[] = [];
  const take = (value: LabelledValue): void => {
    values.push(value);
    if (value.label.integrity === "owner") owned.push(readNames(value.text));
    label = joinLabels(label, value.label);
  };
  const asItIs = (): TurnTaint => ({ label, values: [...values], owner: createNamed([...owned]) });
  return {
    values,
    hosts,
    reach(host) {
      if (!hosts.includes(host)) hosts.push(host);
    },
    get label() {
      return label;
    },
    get owner() {
      return createNamed([...owned]);
    },
    add: take,
    recordCalls(asked) {
      decided = asItIs();
      calls = asked.map(toText);
      // Calls made from the owner's text alone count as the owner's text.
      if (label.integrity === "owner" && asked.length > 0)
        take({ text: JSON.stringify(asked.map(({ input }) => input)), label });
    },
    taintOf(call) {
      const at = calls.indexOf(toText(call));
      if (at < 0) return asItIs();
      calls = calls.toSpliced(at, 1);
      return decided;
    },
  };
};

const toText = ({ name, input }: ToolCall): string => JSON.stringify([name, input]);

export const NO_TAINT: TurnTaint = { label: OWNER_LABEL, values: [], owner: createNamed([]) };
