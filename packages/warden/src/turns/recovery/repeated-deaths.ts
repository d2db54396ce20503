/** The failure of an activation whose cell or daemon died repeatedly at the same step. */
import type { JournaledStep } from "../../kernel/index.ts";
import type { Outcome } from "../run/outcome.ts";

/** Counts finished steps, whose number shows whether an activation made progress. */
export const countFinishedSteps = (steps: ReadonlyMap<number, Pick<JournaledStep, "state">>): number =>
  [...steps.values()].filter(({ state }) => state !== "started").length;

export const repeatedDeathFailure = (deaths: string): Extract<Outcome, { kind: "failed" }> => ({
  kind: "failed",
  isGivenUp: true,
  error: {
    code: "activation.failed",
    message: `${deaths} at the same step of this message, so Hearth does not retry it automatically.`,
    hint: "See logs/hearth.log in the home folder. To retry the message: hearth room retry ROOM",
  },
});
