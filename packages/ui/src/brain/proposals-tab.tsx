/** Pending proposals of the agent, and decided ones. */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Notice } from "../design/notice.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { useEvery } from "../house/every.ts";
import { useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { ProposalCard } from "./proposal-card.tsx";

const EVERY_MS = 5000;

export const ProposalsTab = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id } = agent;
  const answer = useAnswer(useCallback(async () => (await client.brains()).proposals(id), [client, id]));
  useEvery(EVERY_MS, answer.again);
  return (
    <AnswerView answer={answer}>
      {(proposals) => <Proposals agent={agent} proposals={proposals} onDecided={answer.again} />}
    </AnswerView>
  );
};

export interface ProposalsProps {
  readonly agent: AgentRecord;
  /** Newest first. */
  readonly proposals: readonly Proposal[];
  readonly onDecided: () => void;
}

export const Proposals = ({ agent, proposals, onDecided }: ProposalsProps) => {
  /** Proposals that were pending when the page opened keep their place after a decision. */
  const [here, setHere] = useState<readonly string[]>([]);
  const fresh = proposals.filter(({ id, state }) => state === "pending" && !here.includes(id)).map(({ id }) => id);
  if (fresh.length > 0) setHere([...here, ...fresh.toReversed()]);
  const shown = here.flatMap((id) => proposals.find((proposal) => proposal.id === id) ?? []);
  const earlier = proposals.filter(({ id, state }) => state !== "pending" && !here.includes(id));
  const open = proposals.filter(({ state }) => state === "pending");
  return (
    <>
      {open.some(({ halts }) => halts) ? (
        <Notice kind="danger" title={`${visible(agent.content.name)} is paused until you decide.`}>
          A protected file changed more than the agent may change without approval.
        </Notice>
      ) : undefined}
      <section className={styles.section} aria-label="Pending proposals">
        <p className={styles.quiet}>{tellOpen(open.length)}</p>
        {proposals.length === 0 ? (
          <p className={styles.quiet}>
            When {visible(agent.content.name)} wants to change its own instructions, the change appears here for your
            approval.
          </p>
        ) : undefined}
        {shown.map((proposal) => (
          <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
        ))}
      </section>
      {earlier.length === 0 ? undefined : (
        <section className={styles.section} aria-labelledby="earlier">
          <h2 id="earlier">Decided proposals</h2>
          {earlier.map((proposal) => (
            <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
          ))}
        </section>
      )}
    </>
  );
};

export const tellOpen = (count: number): string => {
  if (count === 0) return "No pending proposals";
  return count === 1 ? "1 pending proposal" : `${count} pending proposals`;
};
