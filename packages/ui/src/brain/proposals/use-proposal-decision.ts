/** Sends one decision about a proposed change. Ignores a press that comes too soon after the card moved. */
import { observe } from "@hearth/client";
import { type AgentRecord, type DecideProposal, isHearthError, type Proposal } from "@hearth/protocol";
import { type RefObject, useState } from "react";
import { PRESS_AGAIN_NOTE } from "../../approvals/use-decision.ts";
import { useSteady } from "../../approvals/use-steady.ts";
import { useAnnounce } from "../../design/announcer.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import * as texts from "../text.ts";

export interface ProposalDecision {
  readonly decide: (decision: DecideProposal["decision"], reason: string) => void;
  readonly isBusy: boolean;
  readonly error: ReturnType<typeof useSubmission>["error"];
  /** Why the last decision had no effect. */
  readonly note: string | undefined;
}

/** Calls `onDecided` when this person or another one has decided the proposal. */
export const useProposalDecision = (
  agent: AgentRecord,
  { id }: Pick<Proposal, "id">,
  card: RefObject<HTMLElement | null>,
  onDecided: (decidedProposal: Proposal | undefined) => void,
): ProposalDecision => {
  const { client } = useUi();
  const announce = useAnnounce();
  const isSteady = useSteady(card);
  const submission = useSubmission();
  const [note, setNote] = useState<string>();

  const decide: ProposalDecision["decide"] = (decision, reason) => {
    if (!isSteady()) {
      setNote(PRESS_AGAIN_NOTE);
      announce(PRESS_AGAIN_NOTE, "unseen");
      return;
    }
    setNote(undefined);
    const reasonField = reason.trim() === "" ? {} : { reason: reason.trim() };
    observe(
      submission.run(async () => {
        try {
          onDecided(await (await client.brains()).decide(agent.id, id, { decision, ...reasonField }));
        } catch (error) {
          if (!isHearthError(error, "proposal.over")) throw error;
          setNote(texts.tooLate);
          onDecided(undefined);
        }
      }),
    );
  };
  return { decide, isBusy: submission.isBusy, error: submission.error, note };
};
