/** Prepares the texts of a turn for their readers, by what the turn has read. */
import type { PartialReply, Row } from "../../kernel/index.ts";
import { type LeakScan, toOutgoing, type TurnTaint } from "../../policy/index.ts";
import { type ErrorBody, type InboxId, isTainted, type Label } from "@hearth/protocol";
import type { Outcome } from "./outcome.ts";

export interface TurnTexts {
  /**
   * For another agent, which reads the text with its label. What that agent says to people is
   * cleaned later.
   */
  inside(text: string, taint: TurnTaint): string;
  /** For people, in rooms and channels. */
  outgoing(text: string, taint: TurnTaint): string;
  /**
   * The text that a stopped turn leaves in the room. It is cleaned and labelled like a finished
   * reply.
   */
  leavePartial(text: string, taint: TurnTaint): { readonly partial?: PartialReply };
  /** The outcome with its texts cleaned and labelled. */
  toOutcome(outcome: Outcome, of: Said): Outcome;
}

export interface Said {
  readonly row: Row<"activations">;
  readonly taint: TurnTaint;
  /** The part of the reply that readers had seen. */
  readonly shown: string;
  /** Inbox messages that were in its prompt. */
  readonly used: readonly InboxId[];
}

export const createTurnTexts = (leaks: LeakScan): TurnTexts => {
  const inside: TurnTexts["inside"] = (text, { label }) => (isTainted(label) ? leaks.redactOutgoing(text) : text);
  const outgoing: TurnTexts["outgoing"] = (text, taint) =>
    isTainted(taint.label) ? toOutgoing(text, taint, leaks) : text;

  /** A cell's failure text is the cell's own words, so it is cleaned too. */
  const outgoingError = ({ message, hint, ...error }: ErrorBody, taint: TurnTaint): ErrorBody => ({
    ...error,
    message: outgoing(message, taint),
    ...(hint === undefined ? {} : { hint: outgoing(hint, taint) }),
  });

  const leavePartial: TurnTexts["leavePartial"] = (text, taint) => {
    if (text === "") return {};
    const label = labelToShow(taint);
    return { partial: { text: outgoing(text, taint), ...(label === undefined ? {} : { label }) } };
  };

  return {
    inside,
    outgoing,
    leavePartial,
    toOutcome(outcome, { row, taint, shown, used }) {
      switch (outcome.kind) {
        case "failed":
        case "retry":
          return { ...outcome, error: outgoingError(outcome.error, taint) };
        case "stopped":
        case "waiting":
          return { ...outcome, ...leavePartial(shown, taint) };
        case "reply": {
          const label = labelToShow(taint);
          if (label === undefined) return { ...outcome, used };
          const clean = row.parent === null ? outgoing : inside;
          return { ...outcome, text: clean(outcome.text, taint), used, label };
        }
      }
    },
  };
};

/** Omits an untainted label, which would otherwise appear in every message. */
export const labelToShow = ({ label }: TurnTaint): Label | undefined => (isTainted(label) ? label : undefined);
