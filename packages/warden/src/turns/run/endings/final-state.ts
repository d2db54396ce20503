/** How an activation can end, and which state, reason and error its end has. */
import type { PartialReply, Row } from "../../../kernel/index.ts";
import {
  type ActivationId,
  type ActivationState,
  type Attachment,
  type ErrorBody,
  isEmptyHeartbeat,
  type RoomRecord,
} from "@hearth/protocol";
import type { Outcome } from "../outcome.ts";

export type Ended =
  | Exclude<Outcome, { kind: "waiting" } | { kind: "retry" }>
  /** Another activation answers the message. */
  | { readonly kind: "merged"; readonly into: ActivationId };

/** The end, as it is stored in the row and shown in the agent's log and to the watchers. */
export interface FinalState {
  readonly state: ActivationState;
  readonly reason?: string;
  readonly error?: ErrorBody;
  readonly mergedInto?: ActivationId;
}

/** An activation that ends, with what its reply needs. */
export interface EndingActivation {
  readonly row: Row<"activations">;
  readonly outcome: Ended;
  /** The room. It is undefined if the room was removed. */
  readonly room: RoomRecord | undefined;
  /** The files that the activation attached to its reply. */
  readonly files: readonly Attachment[];
}

export const toFinalState = ({ row, outcome, room, files }: EndingActivation): FinalState => {
  if (outcome.kind === "merged") return mergedState(outcome.into);
  if (room === undefined) return { state: "skipped", reason: "The room was removed." };
  switch (outcome.kind) {
    case "reply":
      if (files.length > 0) return { state: "replied" };
      if (row.trigger === "heartbeat" && isEmptyHeartbeat(outcome.text))
        return { state: "skipped", reason: "The agent checked and had nothing to report." };
      return outcome.text.trim() === ""
        ? { state: "skipped", reason: "The agent had nothing to say." }
        : { state: "replied" };
    case "stopped":
      return { state: "stopped", reason: outcome.reason ?? "It was stopped." };
    case "failed":
      return { state: "failed", reason: outcome.error.message, error: outcome.error };
  }
};

export const mergedState = (into: ActivationId): FinalState => ({
  state: "skipped",
  reason: "Another activation answers its message.",
  mergedInto: into,
});

/** Returns the reply to show in the room, or, if the activation was stopped, the part that watchers had seen. */
export const finalReplyOf = (outcome: Ended, state: ActivationState): PartialReply | undefined => {
  if (outcome.kind === "reply" && state === "replied") return outcome;
  if (outcome.kind === "stopped" && state === "stopped") return outcome.partial;
  return undefined;
};

/**
 * Returns the end of an aborted run. `endInstead` is the end that the code that aborted the run
 * asked for. Only an activation that a person stopped keeps its partial reply.
 */
export const toStopped = (
  { reason, partial }: { readonly reason?: string; readonly partial?: PartialReply },
  endInstead?: Ended,
): Ended =>
  endInstead === undefined || (endInstead.kind === "stopped" && endInstead.reason === undefined)
    ? {
        kind: "stopped",
        ...(reason === undefined ? {} : { reason }),
        ...(partial === undefined ? {} : { partial }),
      }
    : endInstead;
