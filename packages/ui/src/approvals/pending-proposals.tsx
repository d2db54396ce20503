/**
 * Proposed changes of agents' own brains that need approval, by agent. Asks each agent, which also
 * finds changes that were made on the disk.
 */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import { ProposalCard } from "../brain/proposals/proposal-card.tsx";
import { useAnswer } from "../house/answer.ts";
import { useEvery } from "../house/every.ts";
import { mayIn } from "../house/may.ts";
import { brainPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import { mergeProposals, putProposal } from "./proposal-list.ts";
import * as texts from "./text.ts";

/** Each agent takes one request. */
const EVERY_MS = 15_000;

export const PendingProposals = () => {
  const { client } = useUi();
  const { agents, me } = useHouse();
  const bots = useMemo(
    () =>
      [...agents.values()].filter(
        ({ house, content }) => content.kind === "bot" && content.runs !== "elsewhere" && mayIn(me, "x", house),
      ),
    [agents, me],
  );
  const ask = useCallback(async (): Promise<readonly Proposal[]> => {
    const calls = await client.brains();
    // An agent whose request fails does not hide the others.
    const each = await Promise.all(bots.map(({ id }) => calls.proposals(id, { state: "pending" }).catch(() => [])));
    return each.flat();
  }, [client, bots]);
  const { value, again } = useAnswer(ask);
  useEvery(EVERY_MS, again);
  const [proposals, setProposals] = useState<readonly Proposal[]>([]);
  useEffect(() => {
    if (value !== undefined) setProposals((before) => mergeProposals(before, value));
  }, [value]);
  const onDecided = (decided: Proposal | undefined): void => {
    if (decided !== undefined) setProposals((before) => putProposal(before, decided));
    again();
  };
  return proposals.length === 0 ? undefined : (
    <PendingProposalList agents={bots} proposals={proposals} onDecided={onDecided} />
  );
};

export interface PendingProposalListProps {
  readonly agents: readonly AgentRecord[];
  readonly proposals: readonly Proposal[];
  readonly onDecided: (decided: Proposal | undefined) => void;
}

export const PendingProposalList = ({ agents, proposals, onDecided }: PendingProposalListProps) => (
  <section aria-labelledby="changes" className={styles.rules}>
    <h2 id="changes">{texts.changesToAgents}</h2>
    {agents.map((agent) => (
      <OfAgent
        key={agent.id}
        agent={agent}
        proposals={proposals.filter((proposal) => proposal.agent === agent.id)}
        onDecided={onDecided}
      />
    ))}
  </section>
);

interface OfAgentProps extends Omit<PendingProposalListProps, "agents"> {
  readonly agent: AgentRecord;
}

const OfAgent = ({ agent, proposals, onDecided }: OfAgentProps) => {
  const open = proposals.filter(({ state }) => state === "pending");
  return proposals.length === 0 ? undefined : (
    <div className={styles.cards}>
      <p className={styles.rule}>
        <Link href={brainPath(agent.handle, "proposals")}>
          {texts.changesTo(open.length, visible(agent.content.name))}
        </Link>
        {open.some(({ halts }) => halts) ? (
          <span className={styles.note}>{texts.agentPausedUntilYouDecide}</span>
        ) : undefined}
      </p>
      {proposals.map((proposal) => (
        <ProposalCard key={proposal.id} agent={agent} proposal={proposal} onDecided={onDecided} />
      ))}
    </div>
  );
};
