/** An activation that is given up, because what ran it died again and again at the same step. */
import type { KnownStep } from "../../kernel/index.ts";
import type { Outcome } from "../run/outcome.ts";

/** Steps that are over: an activation that has more of them than before has made progress. */
export const finishedSteps = (known: ReadonlyMap<number, Pick<KnownStep, "state">>): number =>
  [...known.values()].filter(({ state }) => state !== "started").length;

export const givenUp = (what: string): Extract<Outcome, { kind: "failed" }> => ({
  kind: "failed",
  isGivenUp: true,
  error: {
    code: "activation.failed",
    message: `${what} at the same step of this message, so it is not tried again by itself.`,
    hint: "See logs/hearth.log in the home folder. To try it again: hearth room retry ROOM",
  },
});
