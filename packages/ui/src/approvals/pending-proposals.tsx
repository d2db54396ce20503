/** Agents of which a change waits for the person's word, each with the way to it: what changes is shown there. */
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

/** Each agent is a question of its own. */
const EVERY_MS = 15_000;

export interface PendingProposal {
  readonly agent: AgentRecord;
  readonly count: number;
  /** It does nothing until that is decided. */
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
    const asked = await Promise.all(
      bots.map(async (agent) => {
        // One that cannot be asked hides none of the others.
        const proposals = await calls.proposals(agent.id, { state: "pending" }).catch(() => []);
        return { agent, count: proposals.length, halts: proposals.some(({ halts }) => halts) };
      }),
    );
    return asked.filter(({ count }) => count > 0);
  }, [client, bots]);
  const { value = [], again } = useAnswer(ask);
  useEvery(EVERY_MS, again);
  return value.length === 0 ? undefined : <PendingProposalList asked={value} />;
};

export const PendingProposalList = ({ asked }: { readonly asked: readonly PendingProposal[] }) => (
  <section aria-labelledby="changes" className={styles.rules}>
    <h2 id="changes">Changes of what agents are</h2>
    <ul className={styles.ruleList}>
      {asked.map(({ agent, count, halts }) => (
        <li key={agent.id}>
          <span className={styles.rule}>
            <Link href={brainPath(agent.handle, "proposals")}>
              {count === 1 ? "One change" : `${count} changes`} of {visible(agent.content.name)}
            </Link>
            {halts ? <span className={styles.note}>It does nothing until you have decided.</span> : undefined}
          </span>
        </li>
      ))}
    </ul>
  </section>
);
