/** Reads the journal of a running activation, and adds up the activation's usage. */
import { type Journal, type JournaledStep, unjournaledUsage, type Row, usageOf } from "../../kernel/index.ts";
import { addUsage, HearthError, noUsage, type Usage } from "@hearth/protocol";

export type KnownSteps = ReadonlyMap<number, JournaledStep>;

export interface TurnSteps {
  /** Reads the steps again. Throws `store.damaged` if an output is damaged. */
  load(): Promise<KnownSteps>;
  /** Adds the usage of a step. */
  addUsage(usage: Usage): void;
}

/** Creates the reader. `onUsage` receives the usage so far, after each change. */
export const createTurnSteps = (
  journal: Pick<Journal, "load">,
  row: Row<"activations">,
  onUsage: (usage: Usage) => void,
): TurnSteps => {
  let usage = noUsage;
  return {
    async load() {
      const knownSteps = await journal.load(row.id);
      usage = addUsage(unjournaledUsage(row), usageOf(knownSteps.values()));
      onUsage(usage);
      for (const [step, { name, isDamaged }] of knownSteps) if (isDamaged === true) throw damagedStepError(step, name);
      return knownSteps;
    },
    addUsage(stepUsage) {
      usage = addUsage(usage, stepUsage);
      onUsage(usage);
    },
  };
};

const damagedStepError = (step: number, name: string): HearthError =>
  new HearthError("store.damaged", `The output of step ${step} (${name}) is damaged, so the turn cannot continue.`, {
    hint: "Send the message again. To find other damage: hearth doctor --deep",
  });
