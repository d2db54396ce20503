/** Lists the senders on channels, and approves, blocks and resets them. */
import { observe } from "@hearth/client";
import type { AgentRecord, Pairing } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { ApproveSender } from "./approve-sender.tsx";
import * as texts from "./text.ts";

/** Refresh interval, so that a new sender appears without a reload. */
const POLL_INTERVAL_MS = 5000;

export const PairingsSection = ({ people }: { readonly people: readonly AgentRecord[] }) => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(async () => (await client.pairings()).list(), [client]));
  useInterval(POLL_INTERVAL_MS, answer.again);
  return (
    <Section title={texts.senders} text={texts.sendersIntroduction}>
      <AnswerView answer={answer}>
        {(pairings) => <PairingList pairings={pairings} people={people} onChange={answer.again} />}
      </AnswerView>
    </Section>
  );
};

export interface PairingListProps {
  readonly pairings: readonly Pairing[];
  readonly people: readonly AgentRecord[];
  readonly onChange: () => void;
}

const order = { pending: 0, allowed: 1, blocked: 2 } as const;

/** Lists senders. Those that wait for approval come first. */
export const PairingList = ({ pairings, people, onChange }: PairingListProps) =>
  pairings.length === 0 ? (
    <p className={styles.quiet}>{texts.noSenders}</p>
  ) : (
    <ul className={styles.list}>
      {pairings
        .toSorted((one, other) => order[one.state] - order[other.state])
        .map((pairing) => (
          <PairingRow
            key={JSON.stringify([pairing.channel, pairing.sender])}
            pairing={pairing}
            people={people}
            onChange={onChange}
          />
        ))}
    </ul>
  );

interface PairingRowProps {
  readonly pairing: Pairing;
  readonly people: readonly AgentRecord[];
  readonly onChange: () => void;
}

/** The open form or dialog. */
type Opened = "approval" | "block" | undefined;

const PairingRow = ({ pairing, people, onChange }: PairingRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [opened, setOpened] = useState<Opened>();
  const nameId = useId();
  const { channel, sender, state } = pairing;
  const name = toVisible(pairing.name === "" ? sender : pairing.name);
  const end = async (how: "block" | "forget"): Promise<void> => {
    setOpened(undefined);
    if (!(await submission.run(async () => (await client.pairings())[how](channel, sender)))) return;
    announce(how === "block" ? texts.senderBlocked(name) : texts.senderReset(name));
    onChange();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span id={nameId} className={styles.name}>
            {name}
          </span>
          <span className={styles.quiet}>
            {toVisible(channel)} · {toVisible(sender)} · <Time at={pairing.createdAt} style="relative" />
          </span>
          <span className={state === "pending" ? styles.missing : styles.quiet}>
            <PairingState pairing={pairing} people={people} />
          </span>
        </span>
        <PairingButtons
          name={name}
          state={state}
          opened={opened}
          isBusy={submission.isBusy}
          onOpen={setOpened}
          onReset={() => observe(end("forget"))}
        />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {opened === "approval" ? (
        <ApproveSender
          pairing={pairing}
          people={people}
          onApproved={() => {
            setOpened(undefined);
            onChange();
          }}
        />
      ) : undefined}
      <ConfirmDialog
        title={texts.blockSenderTitle(name)}
        text={texts.blockEffect}
        confirm={texts.block}
        isDanger
        isOpen={opened === "block"}
        onConfirm={() => observe(end("block"))}
        onClose={() => setOpened(undefined)}
      />
    </li>
  );
};

interface PairingButtonsProps extends Pick<Pairing, "name" | "state"> {
  readonly opened: Opened;
  readonly isBusy: boolean;
  readonly onOpen: (opened: Opened) => void;
  readonly onReset: () => void;
}

const PairingButtons = ({ name, state, opened, isBusy, onOpen, onReset }: PairingButtonsProps) => (
  <span className={styles.buttons}>
    {state === "pending" ? (
      <Button
        size="small"
        aria-label={texts.approveSender(name)}
        aria-expanded={opened === "approval"}
        onClick={() => onOpen(opened === "approval" ? undefined : "approval")}
      >
        {texts.approve}
      </Button>
    ) : (
      <Button size="small" kind="quiet" aria-label={texts.resetSender(name)} disabled={isBusy} onClick={onReset}>
        {texts.reset}
      </Button>
    )}
    {state === "blocked" ? undefined : (
      <Button
        size="small"
        kind="quiet"
        aria-label={texts.blockSender(name)}
        disabled={isBusy}
        onClick={() => onOpen("block")}
      >
        {texts.block}
      </Button>
    )}
  </span>
);

const PairingState = ({ pairing, people }: Pick<PairingRowProps, "pairing" | "people">) => {
  const { clock } = useUi();
  const { state, person, expiresAt } = pairing;
  if (state === "blocked") return texts.blocked;
  if (state === "allowed")
    return texts.writesAs(toVisible(people.find(({ id }) => id === person)?.content.name ?? texts.aFormerMember));
  return expiresAt !== undefined && expiresAt <= clock.now() ? texts.expired : texts.waiting;
};
