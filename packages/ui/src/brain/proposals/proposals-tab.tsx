/** Pending proposals of the agent, and decided ones. */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Notice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { ProposalCard } from "./proposal-card.tsx";
import * as texts from "../text.ts";

const POLL_INTERVAL_MS = 5000;

export const ProposalsTab = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id } = agent;
  const request = useRequest(useCallback(async () => (await client.brains()).proposals(id), [client, id]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <RequestView request={request}>
      {(proposals) => <Proposals agent={agent} proposals={proposals} onDecided={request.reload} />}
    </RequestView>
  );
};

export interface ProposalsProps {
  readonly agent: AgentRecord;
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  readonly onDecided: () => void;
}

export const Proposals = ({ agent, proposals, onDecided }: ProposalsProps) => {
  /** Ids of proposals that were pending on this page. They keep their position after a decision. */
  const [shownIds, setShownIds] = useState<readonly string[]>([]);
  const newIds = proposals.filter(({ id, state }) => state === "pending" && !shownIds.includes(id)).map(({ id }) => id);
  if (newIds.length > 0) setShownIds([...shownIds, ...newIds.toReversed()]);
  const shownProposals = shownIds.flatMap((id) => proposals.find((proposal) => proposal.id === id) ?? []);
  const decidedProposals = proposals.filter(({ id, state }) => state !== "pending" && !shownIds.includes(id));
  const pendingProposals = proposals.filter(({ state }) => state === "pending");
  return (
    <>
      {pendingProposals.some(({ halts }) => halts) ? (
        <Notice kind="danger" title={texts.agentIsPaused(toVisible(agent.content.name))}>
          {texts.agentIsPausedDetail}
        </Notice>
      ) : undefined}
      <section className={styles.section} aria-label={texts.pendingProposals}>
        <p className={styles.quiet}>{describePendingCount(pendingProposals.length)}</p>
        {proposals.length === 0 ? (
          <p className={styles.quiet}>{texts.proposalsIntroduction(toVisible(agent.content.name))}</p>
        ) : undefined}
        {shownProposals.map((proposal) => (
          <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
        ))}
      </section>
      {decidedProposals.length === 0 ? undefined : (
        <section className={styles.section} aria-labelledby="earlier">
          <h2 id="earlier">{texts.decidedProposals}</h2>
          {decidedProposals.map((proposal) => (
            <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
          ))}
        </section>
      )}
    </>
  );
};

export const describePendingCount = (count: number): string => {
  if (count === 0) return texts.noPendingProposals;
  return count === 1 ? texts.onePendingProposal : texts.pendingProposalCount(count);
};
