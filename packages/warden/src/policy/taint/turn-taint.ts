/** What an activation has in hand: every value that entered it, with its label, in its order. What is judged is judged by this. */
import { joinLabels, type Label, OWN, type ToolCall } from "@hearth/protocol";
import { createNamed, type Named, type NamingText, readNames } from "./provenance-named.ts";

/** A value as the model read it. */
export interface LabelledValue {
  readonly text: string;
  readonly label: Label;
}

export interface TurnTaint {
  /** Of all of it together. */
  readonly label: Label;
  readonly held: readonly LabelledValue[];
  /** What is named in texts with the owner's own authority at this moment. What only `trusted` people wrote may be acted on, and aims nothing. */
  readonly owner: Named;
}

export interface OpenTurnTaint extends TurnTaint {
  take(held: LabelledValue): void;
  /** The model has asked for these calls, knowing what is in hand at this moment and no more. */
  decide(calls: readonly ToolCall[]): void;
  /**
   * What was in hand when the model asked for just this call in its last answer: what came in since cannot have moved it. All of it for a call that
   * it did not ask for, or not so often.
   */
  behind(call: ToolCall): TurnTaint;
  /** Hosts that its commands reached. */
  readonly hosts: readonly string[];
  reach(host: string): void;
}

/** Empty: nothing in it binds anybody. */
export const createTurnTaint = (): OpenTurnTaint => {
  const held: LabelledValue[] = [];
  /** Of what is held, the owner's. A text is looked through once, however many calls are judged by it. */
  const owned: NamingText[] = [];
  const hosts: string[] = [];
  let label = OWN;
  let decided: TurnTaint = NO_TAINT;
  let calls: readonly string[] = [];
  const take = (value: LabelledValue): void => {
    held.push(value);
    if (value.label.integrity === "owner") owned.push(readNames(value.text));
    label = joinLabels(label, value.label);
  };
  const asItIs = (): TurnTaint => ({ label, held: [...held], owner: createNamed([...owned]) });
  return {
    held,
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
    take,
    decide(asked) {
      decided = asItIs();
      calls = asked.map(toText);
      // What is made of the owner's words alone is worth as much as they are.
      if (label.integrity === "owner" && asked.length > 0)
        take({ text: JSON.stringify(asked.map(({ input }) => input)), label });
    },
    behind(call) {
      const at = calls.indexOf(toText(call));
      if (at < 0) return asItIs();
      calls = calls.toSpliced(at, 1);
      return decided;
    },
  };
};

const toText = ({ name, input }: ToolCall): string => JSON.stringify([name, input]);

export const NO_TAINT: TurnTaint = { label: OWN, held: [], owner: createNamed([]) };
