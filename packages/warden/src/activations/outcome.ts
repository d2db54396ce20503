/** What a run in a cell came to. */
import type { ErrorBody, InboxId, Label, Usage } from "@hearth/protocol";
import type { Along, Verdict } from "../policy/effect.ts";
import type { Write } from "../store/store.ts";

export type Outcome =
  | {
      readonly kind: "reply";
      readonly text: string;
      /** Messages of its inbox that it had in its prompt. */
      readonly used?: readonly InboxId[];
      /** Where what it was written from came from, if that has to be said. */
      readonly label?: Label;
      /** What keeps its last step, for the commit that ends it. */
      readonly last?: readonly Write[];
    }
  | {
      readonly kind: "failed";
      readonly error: ErrorBody;
      /** What ran it died again and again: messages that it took in are not to blame, and are answered on their own. */
      readonly isGivenUp?: true;
    }
  /** For a reason that may pass: the activation is tried again later. `usage` is what the failed call cost. It is not over. */
  | { readonly kind: "retry"; readonly error: ErrorBody; readonly usage: Usage }
  /** With a reason where it was not somebody's word to stop. */
  | { readonly kind: "stopped"; readonly reason?: string }
  /** For a person's decision about this step. It is not over. */
  | { readonly kind: "waiting"; readonly step: number; readonly text: string; readonly along?: Along };

/** Its model takes no request as long as the talk has become: it may go on from its journal, with less of the past. */
export interface Overflow {
  readonly kind: "overflow";
}

/** What a verdict that does not let it go on makes of the activation. */
export const toOutcome = (step: number, verdict: Exclude<Verdict, { verdict: "on" }>): Outcome => {
  switch (verdict.verdict) {
    case "waiting":
      return {
        ...{ kind: "waiting", step, text: verdict.text },
        ...(verdict.along === undefined ? {} : { along: verdict.along }),
      };
    case "stopped":
      return verdict.hint === undefined
        ? { kind: "stopped" }
        : { kind: "failed", error: { code: "budget.spent", message: verdict.text, hint: verdict.hint } };
    case "refused":
      return { kind: "failed", error: { code: "tool.denied", message: verdict.text } };
  }
};
