/** Changes of what the agent is or obeys that wait for a person's word, and what became of earlier ones. */
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
  /** Those that waited when the page came stay in their place when they are decided: nothing moves under the finger. */
  const [here, setHere] = useState<readonly string[]>([]);
  const fresh = proposals.filter(({ id, state }) => state === "pending" && !here.includes(id)).map(({ id }) => id);
  if (fresh.length > 0) setHere([...here, ...fresh.toReversed()]);
  const shown = here.flatMap((id) => proposals.find((proposal) => proposal.id === id) ?? []);
  const earlier = proposals.filter(({ id, state }) => state !== "pending" && !here.includes(id));
  const open = proposals.filter(({ state }) => state === "pending");
  return (
    <>
      {open.some(({ halts }) => halts) ? (
        <Notice kind="danger" title={`${visible(agent.content.name)} does nothing until you have decided.`}>
          Something that it is or obeys was changed further than it may change by itself.
        </Notice>
      ) : undefined}
      <section className={styles.section} aria-label="Waiting for a word">
        <p className={styles.quiet}>{tellOpen(open.length)}</p>
        {proposals.length === 0 ? (
          <p className={styles.quiet}>
            When {visible(agent.content.name)} wants to change what it is or obeys, you see here what would be
            different, and decide.
          </p>
        ) : undefined}
        {shown.map((proposal) => (
          <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
        ))}
      </section>
      {earlier.length === 0 ? undefined : (
        <section className={styles.section} aria-labelledby="earlier">
          <h2 id="earlier">Decided before</h2>
          {earlier.map((proposal) => (
            <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
          ))}
        </section>
      )}
    </>
  );
};

export const tellOpen = (count: number): string => {
  if (count === 0) return "No change waits for your word.";
  return count === 1 ? "One change waits for your word." : `${count} changes wait for your word.`;
};
