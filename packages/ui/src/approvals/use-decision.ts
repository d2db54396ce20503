/**
 * Sends a decision about one call, and announces the outcome, also when another admin decided
 * first.
 */
import type { Decision } from "@hearth/client";
import { type Approval, isHearthError } from "@hearth/protocol";
import { type RefObject, useRef, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { describeOutcome } from "./outcome-words.ts";
import { useSteady } from "./use-steady.ts";
import * as texts from "./text.ts";

export const HASTY = texts.pressAgain;

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
  const work = useWork();
  const isSteady = useSteady(element);
  /** The decision is being sent or was accepted: ignore further presses and keep the note. */
  const isSaid = useRef(false);
  const [note, setNote] = useState<string>();
  const say = (text: string): void => {
    setNote(text);
    announce(text);
  };
  const tell = (decided: Approval, before: string): void => {
    const outcome = describeOutcome(decided, me?.agent.id, (id) =>
      visible(agents.get(id)?.content.name ?? texts.formerMember),
    );
    announce(`${before}${outcome ?? ""}`);
    onDecided(decided);
  };
  const ask = async (decision: Decision): Promise<void> => {
    const calls = await client.approvals();
    try {
      tell(await calls.decide(approval.id, decision), "");
    } catch (error) {
      if (!isHearthError(error, "approval.over")) throw error;
      setNote(texts.tooLate);
      tell(await calls.get(approval.id), texts.tooLatePrefix);
    }
  };
  const run = async (decision: Decision): Promise<void> => {
    isSaid.current = true;
    setNote(undefined);
    isSaid.current = await work.run(() => ask(decision));
  };
  return {
    isBusy: work.isBusy,
    error: work.error,
    note,
    decide(decision) {
      if (isSaid.current) return;
      if (!isSteady()) return say(HASTY);
      void run(decision);
    },
  };
};
