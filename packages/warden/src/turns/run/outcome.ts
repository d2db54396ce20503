/** The outcome of a run in a cell. */
import type { EffectChange, Verdict } from "../../policy/index.ts";
import type { Write, PartialReply } from "../../kernel/index.ts";
import type { ErrorBody, InboxId, Label, Usage } from "@hearth/protocol";

export type Outcome =
  | {
      readonly kind: "reply";
      readonly text: string;
      /** Inbox messages that were in its prompt. */
      readonly used?: readonly InboxId[];
      /** The label of the reply's sources, when it is tainted. */
      readonly label?: Label;
      /** The write of its last step, for the commit that ends it. */
      readonly last?: readonly Write[];
    }
  | {
      readonly kind: "failed";
      readonly error: ErrorBody;
      /**
       * The cell or the daemon died repeatedly. Messages that the activation merged are answered
       * separately.
       */
      readonly isGivenUp?: true;
    }
  /**
   * The failure may be transient: the activation runs again later. `usage` is the cost of the
   * failed call. It is not over.
   */
  | { readonly kind: "retry"; readonly error: ErrorBody; readonly usage: Usage }
  /**
   * `reason`: absent when a person stopped it. `partial`: the text of the reply that readers had
   * seen.
   */
  | { readonly kind: "stopped"; readonly reason?: string; readonly partial?: PartialReply }
  /**
   * Waits for a person's decision about this step. It is not over. `partial` is kept in case it is
   * stopped meanwhile.
   */
  | {
      readonly kind: "waiting";
      readonly step: number;
      readonly text: string;
      readonly sameCommit?: EffectChange;
      readonly partial?: PartialReply;
    };

/**
 * The model refuses the session as too long. The activation may continue from its journal with a
 * shorter history.
 */
export interface Overflow {
  readonly kind: "overflow";
}

/** The outcome for a verdict that does not let the activation continue. */
export const toOutcome = (step: number, verdict: Exclude<Verdict, { verdict: "allowed" }>): Outcome => {
  switch (verdict.verdict) {
    case "waiting":
      return {
        kind: "waiting",
        step,
        text: verdict.text,
        ...(verdict.sameCommit === undefined ? {} : { sameCommit: verdict.sameCommit }),
      };
    case "stopped":
      return verdict.hint === undefined
        ? { kind: "stopped" }
        : { kind: "failed", error: { code: "budget.spent", message: verdict.text, hint: verdict.hint } };
    case "refused":
      return { kind: "failed", error: { code: "tool.denied", message: verdict.text } };
  }
};
