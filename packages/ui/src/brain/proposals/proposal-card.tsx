/** One proposed change to an agent's protected files: reason, sources, diff and decision. */
import type { AgentRecord, Proposal } from "@hearth/protocol";
import { useId, useRef, useState } from "react";
import { Link } from "wouter";
import { Card } from "../../design/card.tsx";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { Time } from "../../house/time.tsx";
import { describeSources } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { MAX_LINES } from "../history/diff-view.tsx";
import { Diff } from "../../text/diff/diff.tsx";
import { pathOfFile } from "../place.ts";
import * as texts from "../text.ts";
import { parseUnifiedDiff } from "../history/unified.ts";
import { useNames } from "../use-names.ts";
import { useProposalDecision } from "./use-proposal-decision.ts";

export interface ProposalCardProps {
  readonly agent: AgentRecord;
  readonly proposal: Proposal;
  /** Called after a decision. `undefined`: another person decided first. */
  readonly onDecided: (decidedProposal: Proposal | undefined) => void;
}

export const ProposalCard = ({ agent, proposal, onDecided }: ProposalCardProps) => {
  const announce = useAnnounce();
  const nameOf = useNames();
  const card = useRef<HTMLElement>(null);
  const [reason, setReason] = useState("");
  const titleId = useId();
  const { path, why, diff, label, at, state, stale } = proposal;
  const { decide, isBusy, error, note } = useProposalDecision(agent, proposal, card, (decidedProposal) => {
    if (decidedProposal !== undefined) announce(describeDecision(decidedProposal, nameOf) ?? "");
    // The focused button disappears, so focus the card.
    card.current?.focus({ preventScroll: true });
    onDecided(decidedProposal);
  });
  const sourcesText = describeSources(label);
  return (
    <Card ref={card} tabIndex={-1} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>
          {texts.changeTo} <Link href={pathOfFile(agent.handle, path)}>{toVisible(path)}</Link>
        </h2>
        <p className={styles.quiet}>
          {proposal.activation === undefined ? texts.foundOnDisk : texts.proposedBy(toVisible(agent.content.name))} ·{" "}
          <Time at={at} style="relative" />
        </p>
      </header>
      <p>{toVisible(why)}</p>
      {sourcesText === undefined ? undefined : <p className={styles.warning}>{toVisible(sourcesText)}</p>}
      <Diff title={path} lines={parseUnifiedDiff(diff)} maxLines={MAX_LINES} />
      {stale === undefined ? undefined : (
        <Notice kind="info" title={texts.staleProposal}>
          {toVisible(stale)} {texts.askForNewProposal(toVisible(agent.content.name))}
        </Notice>
      )}
      {note === undefined ? undefined : <p className={styles.warning}>{note}</p>}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {state === "pending" ? (
        <>
          <Field label={texts.reason}>
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
              <Button
                kind="primary"
                isBusy={isBusy}
                aria-describedby={titleId}
                onClick={() => decide("approve", reason)}
              >
                {texts.approve}
              </Button>
            ) : undefined}
            <Button kind="danger" isBusy={isBusy} aria-describedby={titleId} onClick={() => decide("deny", reason)}>
              {texts.deny}
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.outcome}>{describeDecision(proposal, nameOf)}</p>
      )}
    </Card>
  );
};

/** Returns a sentence such as "You approved this. The change is active."; undefined while pending. */
export const describeDecision = (
  { state, by, reason }: Pick<Proposal, "state" | "by" | "reason">,
  nameOf: (agent: string) => string,
): string | undefined => {
  if (state === "pending") return undefined;
  const deciderName = by === undefined ? texts.anAdmin : nameOf(by);
  const reasonText = reason === undefined || reason === "" ? "" : ` ${toVisible(reason)}`;
  return state === "approved"
    ? `${texts.approvedBy(deciderName)}${reasonText}`
    : `${texts.deniedBy(deciderName)}${reasonText}`;
};
