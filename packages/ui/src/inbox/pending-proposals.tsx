/**
 * Proposed changes of brains that need approval, grouped by agent. The request for each agent also
 * finds changes that were made on the disk.
 */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import { ProposalCard } from "../brain/proposals/proposal-card.tsx";
import type { TableSelection } from "../design/table.tsx";
import { useRequest } from "../house/request.ts";
import { useInterval } from "../house/interval.ts";
import { mayIn } from "../house/may.ts";
import { brainPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import styles from "../approvals/approvals.module.css";
import { SelectableCard } from "./picked.tsx";
import { mergeProposals, replaceProposal } from "./proposal-list.ts";
import * as texts from "./text.ts";

/** Refresh interval. Each refresh sends one request per agent. */
const POLL_INTERVAL_MS = 15_000;

export interface InboxProposals {
  /** The agents whose proposals the person may decide. */
  readonly agents: readonly AgentRecord[];
  readonly proposals: readonly Proposal[];
  /** Called after a decision. `undefined`: another person decided first. */
  readonly onDecided: (decidedProposal: Proposal | undefined) => void;
}

export const useInboxProposals = (): InboxProposals => {
  const { client } = useUi();
  const { agents, me } = useHouse();
  const bots = useMemo(
    () =>
      [...agents.values()].filter(
        ({ house, content }) => content.kind === "bot" && content.runs !== "elsewhere" && mayIn(me, "x", house),
      ),
    [agents, me],
  );
  const load = useCallback(async (): Promise<readonly Proposal[]> => {
    const calls = await client.brains();
    // An agent whose request fails does not hide the others.
    const lists = await Promise.all(bots.map(({ id }) => calls.proposals(id, { state: "pending" }).catch(() => [])));
    return lists.flat();
  }, [client, bots]);
  const { value, reload } = useRequest(load);
  useInterval(POLL_INTERVAL_MS, reload);
  const [proposals, setProposals] = useState<readonly Proposal[]>([]);
  useEffect(() => {
    if (value !== undefined) setProposals((previousProposals) => mergeProposals(previousProposals, value));
  }, [value]);
  const onDecided = useCallback(
    (decidedProposal: Proposal | undefined): void => {
      if (decidedProposal !== undefined)
        setProposals((previousProposals) => replaceProposal(previousProposals, decidedProposal));
      reload();
    },
    [reload],
  );
  return { agents: bots, proposals, onDecided };
};

export interface PendingProposalListProps extends InboxProposals {
  /** Undefined if proposals cannot be selected. */
  readonly selection?: TableSelection;
}

export const PendingProposalList = ({ agents, proposals, onDecided, selection }: PendingProposalListProps) => (
  <section aria-labelledby="changes" className={styles.rules}>
    <h2 id="changes">{texts.changesToAgents}</h2>
    {agents.map((agent) => (
      <AgentProposals
        key={agent.id}
        agent={agent}
        proposals={proposals.filter((proposal) => proposal.agent === agent.id)}
        onDecided={onDecided}
        selection={selection}
      />
    ))}
  </section>
);

interface AgentProposalsProps {
  readonly agent: AgentRecord;
  readonly proposals: readonly Proposal[];
  readonly onDecided: InboxProposals["onDecided"];
  readonly selection: TableSelection | undefined;
}

const AgentProposals = ({ agent, proposals, onDecided, selection }: AgentProposalsProps) => {
  const pendingProposals = proposals.filter(({ state }) => state === "pending");
  return proposals.length === 0 ? undefined : (
    <div className={styles.cards}>
      <p className={styles.rule}>
        <Link href={brainPath(agent.handle, "proposals")}>
          {texts.changesTo(pendingProposals.length, toVisible(agent.content.name))}
        </Link>
        {pendingProposals.some(({ halts }) => halts) ? (
          <span className={styles.note}>{texts.agentPausedUntilYouDecide}</span>
        ) : undefined}
      </p>
      {proposals.map((proposal) => (
        <SelectableCard
          key={proposal.id}
          id={proposal.id}
          name={texts.changeBy(toVisible(proposal.path), toVisible(agent.content.name))}
          isOpen={proposal.state === "pending"}
          selection={selection}
        >
          <ProposalCard agent={agent} proposal={proposal} onDecided={onDecided} />
        </SelectableCard>
      ))}
    </div>
  );
};
