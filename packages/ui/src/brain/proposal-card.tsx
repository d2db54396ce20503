/** One change of what an agent is or obeys: why it is asked, where its text came from, exactly what changes, and the word about it. */
import { type AgentRecord, type DecideProposal, isHearthError, type Proposal, tellSources } from "@hearth/protocol";
import { useId, useRef, useState } from "react";
import { Link } from "wouter";
import { HASTY } from "../approvals/use-decision.ts";
import { useSteady } from "../approvals/use-steady.ts";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { Time } from "../house/time.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { DiffLines } from "./diff-view.tsx";
import { pathOfFile } from "./place.ts";
import { linesOfDiff } from "./unified.ts";
import { useNames } from "./use-names.ts";

export interface ProposalCardProps {
  readonly agent: AgentRecord;
  readonly proposal: Proposal;
  readonly onDecided: () => void;
}

export const ProposalCard = ({ agent, proposal, onDecided }: ProposalCardProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const nameOf = useNames();
  const card = useRef<HTMLElement>(null);
  const isSteady = useSteady(card);
  const work = useWork();
  const [reason, setReason] = useState("");
  const [note, setNote] = useState<string>();
  const titleId = useId();
  const { id, path, why, diff, label, at, state, stale } = proposal;
  const decide = (decision: DecideProposal["decision"]): void => {
    if (!isSteady()) {
      setNote(HASTY);
      announce(HASTY);
      return;
    }
    setNote(undefined);
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    void work.run(async () => {
      try {
        const decided = await (await client.brains()).decide(agent.id, id, { decision, ...why });
        announce(tellDecided(decided, nameOf) ?? "");
      } catch (error) {
        if (!isHearthError(error, "proposal.over")) throw error;
        setNote("Your word came too late: it was decided before.");
      }
      // The button that had the focus goes.
      card.current?.focus({ preventScroll: true });
      onDecided();
    });
  };
  const from = tellSources(label);
  return (
    <article ref={card} tabIndex={-1} aria-labelledby={titleId} className={styles.card}>
      <header>
        <h2 id={titleId}>
          A change of <Link href={pathOfFile(agent.handle, path)}>{visible(path)}</Link>
        </h2>
        <p className={styles.quiet}>
          {proposal.activation === undefined ? "Found on the disk" : `Wanted by ${visible(agent.content.name)}`} ·{" "}
          <Time at={at} style="relative" />
        </p>
      </header>
      <p>{visible(why)}</p>
      {from === undefined ? undefined : <p className={styles.warning}>{visible(from)}</p>}
      <DiffLines title={path} lines={linesOfDiff(diff)} />
      {stale === undefined ? undefined : (
        <Notice kind="info" title="It does not fit any more.">
          {visible(stale)} Deny it, and ask {visible(agent.content.name)} to propose it anew.
        </Notice>
      )}
      {note === undefined ? undefined : <p className={styles.warning}>{note}</p>}
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {state === "pending" ? (
        <>
          <Field label="Why (optional)">
            {(ids) => (
              <TextInput
                {...ids}
                value={reason}
                maxLength={2000}
                autoComplete="off"
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          <div className={styles.buttons}>
            {stale === undefined ? (
              <Button kind="primary" isBusy={work.isBusy} aria-describedby={titleId} onClick={() => decide("approve")}>
                Approve
              </Button>
            ) : undefined}
            <Button kind="danger" isBusy={work.isBusy} aria-describedby={titleId} onClick={() => decide("deny")}>
              Deny
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.outcome}>{tellDecided(proposal, nameOf)}</p>
      )}
    </article>
  );
};

/** "You approved this. It is so now.", or nothing while it waits. */
export const tellDecided = (
  { state, by, reason }: Pick<Proposal, "state" | "by" | "reason">,
  nameOf: (agent: string) => string,
): string | undefined => {
  if (state === "pending") return undefined;
  const who = by === undefined ? "Somebody" : nameOf(by);
  const why = reason === undefined || reason === "" ? "" : ` ${visible(reason)}`;
  return state === "approved" ? `${who} approved this: it is so.${why}` : `${who} denied this: it is not so.${why}`;
};
