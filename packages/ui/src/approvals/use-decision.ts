/** A word about one call on its way to the house, and what came of it: also where another was quicker. */
import type { Decision } from "@hearth/client";
import { type Approval, isHearthError } from "@hearth/protocol";
import { type RefObject, useRef, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { tellOutcome } from "./outcome-words.ts";
import { useSteady } from "./use-steady.ts";

export const HASTY = "This has only just come or moved. Look once more, then press again.";

export interface DecisionMaker {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** What stands beside the buttons: a press that did not count, or a word that came too late. */
  readonly note: string | undefined;
  /** Does nothing but say so where the element has just come or moved. */
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
  /** It is on its way, or was heard: a second press says nothing more, and takes no word away that stands there. */
  const isSaid = useRef(false);
  const [note, setNote] = useState<string>();
  const say = (text: string): void => {
    setNote(text);
    announce(text);
  };
  const tell = (decided: Approval, before: string): void => {
    const outcome = tellOutcome(decided, me?.agent.id, (id) =>
      visible(agents.get(id)?.content.name ?? "Somebody who left"),
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
      setNote("Your word came too late: it was decided before, or ran out.");
      tell(await calls.get(approval.id), "Too late. ");
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
