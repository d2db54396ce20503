/** What a run in a cell came to. */
import type { Along, Verdict } from "../../policy/index.ts";
import type { Write, PartialReply } from "../../kernel/index.ts";
import type { ErrorBody, InboxId, Label, Usage } from "@hearth/protocol";

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
      /** The cell or the daemon died repeatedly. Messages that the activation included are answered on their own. */
      readonly isGivenUp?: true;
    }
  /** The failure may be transient: the activation runs again later. `usage` is the cost of the failed call. It is not over. */
  | { readonly kind: "retry"; readonly error: ErrorBody; readonly usage: Usage }
  /** `reason`: absent when a person stopped it. `partial`: the text of the reply that readers had seen. */
  | { readonly kind: "stopped"; readonly reason?: string; readonly partial?: PartialReply }
  /** Waits for a person's decision about this step. It is not over. `partial` is kept in case it is stopped meanwhile. */
  | {
      readonly kind: "waiting";
      readonly step: number;
      readonly text: string;
      readonly along?: Along;
      readonly partial?: PartialReply;
    };

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
