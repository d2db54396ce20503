/**
 * Agents with proposed changes of their own brain that need approval, each with a link to its
 * proposals.
 */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { Link } from "wouter";
import { useAnswer } from "../house/answer.ts";
import { useEvery } from "../house/every.ts";
import { mayIn } from "../house/may.ts";
import { brainPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import * as texts from "./text.ts";

/** Each agent takes one request. */
const EVERY_MS = 15_000;

export interface PendingProposal {
  readonly agent: AgentRecord;
  readonly count: number;
  /** The agent is paused until an admin decides. */
  readonly halts: boolean;
}

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
  const ask = useCallback(async (): Promise<readonly PendingProposal[]> => {
    const calls = await client.brains();
    const counts = await Promise.all(
      bots.map(async (agent) => {
        // An agent whose request fails does not hide the others.
        const proposals = await calls.proposals(agent.id, { state: "pending" }).catch(() => []);
        return { agent, count: proposals.length, halts: proposals.some(({ halts }) => halts) };
      }),
    );
    return counts.filter(({ count }) => count > 0);
  }, [client, bots]);
  const { value = [], again } = useAnswer(ask);
  useEvery(EVERY_MS, again);
  return value.length === 0 ? undefined : <PendingProposalList asked={value} />;
};

export const PendingProposalList = ({ asked }: { readonly asked: readonly PendingProposal[] }) => (
  <section aria-labelledby="changes" className={styles.rules}>
    <h2 id="changes">{texts.changesToAgents}</h2>
    <ul className={styles.ruleList}>
      {asked.map(({ agent, count, halts }) => (
        <li key={agent.id}>
          <span className={styles.rule}>
            <Link href={brainPath(agent.handle, "proposals")}>
              {texts.changesTo(count, visible(agent.content.name))}
            </Link>
            {halts ? <span className={styles.note}>{texts.agentPausedUntilYouDecide}</span> : undefined}
          </span>
        </li>
      ))}
    </ul>
  </section>
);
