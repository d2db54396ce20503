/**
 * The taint of an activation: every labelled value that the activation has read, in order. Stages
 * judge its calls by this taint.
 */
import { joinLabels, type Label, OWNER_LABEL, type ToolCall } from "@hearth/protocol";
import { createOwnerNames, type OwnerNames, type OwnerText, prepareText } from "./owner-names.ts";

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
   * The names in the owner's texts that were read so far. Texts of `trusted` people name no targets
   * of calls.
   */
  readonly owner: OwnerNames;
}

export interface OpenTurnTaint extends TurnTaint {
  add(value: LabelledValue): void;
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
  const ownerTexts: OwnerText[] = [];
  const hosts: string[] = [];
  let label = OWNER_LABEL;
  let taintAtAnswer: TurnTaint = NO_TAINT;
  let calls: readonly string[] = [];
  const addValue = (value: LabelledValue): void => {
    values.push(value);
    if (value.label.integrity === "owner") ownerTexts.push(prepareText(value.text));
    label = joinLabels(label, value.label);
  };
  const snapshot = (): TurnTaint => ({ label, values: [...values], owner: createOwnerNames([...ownerTexts]) });
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
      return createOwnerNames([...ownerTexts]);
    },
    add: addValue,
    recordCalls(answerCalls) {
      taintAtAnswer = snapshot();
      calls = answerCalls.map(toText);
      // Calls made from the owner's text alone count as the owner's text.
      if (label.integrity === "owner" && answerCalls.length > 0)
        addValue({ text: JSON.stringify(answerCalls.map(({ input }) => input)), label });
    },
    taintOf(call) {
      const callIndex = calls.indexOf(toText(call));
      if (callIndex < 0) return snapshot();
      calls = calls.toSpliced(callIndex, 1);
      return taintAtAnswer;
    },
  };
};

const toText = ({ name, input }: ToolCall): string => JSON.stringify([name, input]);

export const NO_TAINT: TurnTaint = { label: OWNER_LABEL, values: [], owner: createOwnerNames([]) };
