/** Cleans the texts that a turn sends to people and other agents, if the turn is tainted. */
import type { PartialReply, Row } from "../../kernel/index.ts";
import { type LeakScan, toOutgoing, type TurnTaint } from "../../policy/index.ts";
import { type ErrorBody, type InboxId, isTainted, type Label } from "@hearth/protocol";
import type { Outcome } from "./outcome.ts";

export interface TurnTexts {
  /** For another agent: removes secrets only, because that agent reads the text with its label. */
  cleanForAgent(text: string, taint: TurnTaint): string;
  /** For people, in rooms and channels: also removes links that could carry data out. */
  cleanForPeople(text: string, taint: TurnTaint): string;
  /** The partial reply of a stopped turn, cleaned and labelled like a finished reply. */
  cleanPartial(text: string, taint: TurnTaint): { readonly partial?: PartialReply };
  /** Returns the outcome with its texts cleaned and labelled. */
  toOutcome(outcome: Outcome, context: OutcomeContext): Outcome;
}

export interface OutcomeContext {
  readonly row: Row<"activations">;
  readonly taint: TurnTaint;
  /** The part of the reply that the watchers had seen. */
  readonly shownReply: string;
  /** Inbox messages that were in the prompt. */
  readonly inboxInPrompt: readonly InboxId[];
}

export const createTurnTexts = (leakScan: LeakScan): TurnTexts => {
  const cleanForAgent: TurnTexts["cleanForAgent"] = (text, { label }) =>
    isTainted(label) ? leakScan.redactOutgoing(text) : text;
  const cleanForPeople: TurnTexts["cleanForPeople"] = (text, taint) =>
    isTainted(taint.label) ? toOutgoing(text, taint, leakScan) : text;

  /** Cleans the text of a failure, because the cell may have written it. */
  const outgoingError = ({ message, hint, ...error }: ErrorBody, taint: TurnTaint): ErrorBody => ({
    ...error,
    message: cleanForPeople(message, taint),
    ...(hint === undefined ? {} : { hint: cleanForPeople(hint, taint) }),
  });

  const cleanPartial: TurnTexts["cleanPartial"] = (text, taint) => {
    if (text === "") return {};
    const label = labelToShow(taint);
    return { partial: { text: cleanForPeople(text, taint), ...(label === undefined ? {} : { label }) } };
  };

  return {
    cleanForAgent,
    cleanForPeople,
    cleanPartial,
    toOutcome(outcome, { row, taint, shownReply, inboxInPrompt }) {
      switch (outcome.kind) {
        case "failed":
        case "retry":
          return { ...outcome, error: outgoingError(outcome.error, taint) };
        case "stopped":
        case "waiting":
          return { ...outcome, ...cleanPartial(shownReply, taint) };
        case "reply": {
          const label = labelToShow(taint);
          if (label === undefined) return { ...outcome, inboxInPrompt };
          const clean = row.parent === null ? cleanForPeople : cleanForAgent;
          return { ...outcome, text: clean(outcome.text, taint), inboxInPrompt, label };
        }
      }
    },
  };
};

/** Omits an untainted label, which would otherwise appear in every message. */
export const labelToShow = ({ label }: TurnTaint): Label | undefined => (isTainted(label) ? label : undefined);
