/**
 * Sends a decision about one call, and announces the outcome, also when another admin decided
 * first.
 */
import { observe, type Decision } from "@hearth/client";
import { type Approval, isHearthError } from "@hearth/protocol";
import { type RefObject, useRef, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { toVisible } from "../text/visible.tsx";
import { describeOutcome } from "./outcome-words.ts";
import { useSteady } from "./use-steady.ts";
import * as texts from "./text.ts";

export const PRESS_AGAIN_NOTE = texts.pressAgain;

export interface DecisionMaker {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Shown beside the buttons: the press was too early or the decision too late. */
  readonly note: string | undefined;
  /** Sends the decision. If the card just appeared or moved, only shows a note. */
  readonly decide: (decision: Decision) => void;
}

export const useDecision = (
  approval: Approval,
  element: RefObject<HTMLElement | null>,
  onDecided: (approval: Approval) => void,
): DecisionMaker => {
  const { client } = useUi();
  const { me, agents } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const isSteady = useSteady(element);
  /** The decision is being sent or was accepted: ignore further presses and keep the note. */
  const isSent = useRef(false);
  const [note, setNote] = useState<string>();
  const showNote = (text: string): void => {
    setNote(text);
    announce(text, "unseen");
  };
  const reportOutcome = (decidedApproval: Approval, prefix: string): void => {
    const outcome = describeOutcome(decidedApproval, me?.agent.id, (id) =>
      toVisible(agents.get(id)?.content.name ?? texts.formerMember),
    );
    announce(`${prefix}${outcome ?? ""}`);
    onDecided(decidedApproval);
  };
  const sendDecision = async (decision: Decision): Promise<void> => {
    const calls = await client.approvals();
    try {
      reportOutcome(await calls.decide(approval.id, decision), "");
    } catch (error) {
      if (!isHearthError(error, "approval.over")) throw error;
      setNote(texts.tooLate);
      reportOutcome(await calls.get(approval.id), texts.tooLatePrefix);
    }
  };
  const run = async (decision: Decision): Promise<void> => {
    isSent.current = true;
    setNote(undefined);
    isSent.current = await submission.run(() => sendDecision(decision));
  };
  return {
    isBusy: submission.isBusy,
    error: submission.error,
    note,
    decide(decision) {
      if (isSent.current) return;
      if (!isSteady()) return showNote(PRESS_AGAIN_NOTE);
      observe(run(decision));
    },
  };
};
