/** How a run of an activation can end. */
import type { EffectChange, Verdict } from "../../policy/index.ts";
import type { Write, PartialReply } from "../../kernel/index.ts";
import type { Citation, ErrorBody, InboxId, Label, Usage } from "@hearth/protocol";

export type Outcome =
  | {
      readonly kind: "reply";
      readonly text: string;
      /** Number of the activation's steps that are tool calls. */
      readonly toolCalls: number;
      /** Inbox messages that were in the prompt. */
      readonly inboxInPrompt?: readonly InboxId[];
      /** The label of the reply's sources, if they are tainted. */
      readonly label?: Label;
      /** The links of the text to files that the turn was given. */
      readonly citations?: Citation[];
      /** Journal write of the last step, for the commit that ends the activation. */
      readonly lastWrites?: readonly Write[];
    }
  | {
      readonly kind: "failed";
      readonly error: ErrorBody;
      /** The cell or the daemon died repeatedly. New activations answer the merged messages. */
      readonly isGivenUp?: true;
    }
  /** A transient failure: the activation runs again later. `usage` is the usage of the failed call. */
  | { readonly kind: "retry"; readonly error: ErrorBody; readonly usage: Usage }
  /**
   * `reason` is absent if a person stopped the activation. `partial` is the text of the reply that
   * the watchers had seen.
   */
  | { readonly kind: "stopped"; readonly reason?: string; readonly partial?: PartialReply }
  /**
   * The activation waits for a person's decision about this step. `partial` is stored in case the
   * activation is stopped while it waits.
   */
  | {
      readonly kind: "waiting";
      readonly step: number;
      readonly text: string;
      readonly sameCommit?: EffectChange;
      readonly partial?: PartialReply;
    };

/**
 * The model refused the session as too long. The activation continues from its journal, with less
 * history.
 */
export interface Overflow {
  readonly kind: "overflow";
}

/** Returns the outcome for a verdict that does not let the activation continue. */
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
