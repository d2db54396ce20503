/** One channel: its state, a test, changes, removal, and deliveries with an unknown outcome. */
import { observe } from "@hearth/client";
import type { AgentRecord, ChannelInfo, ChannelTest, Delivery, DeliveryDecision } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { EditChannel } from "./edit-channel.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ChannelRowProps {
  readonly channel: ChannelInfo;
  /** The agents that can answer. */
  readonly bots: readonly AgentRecord[];
  readonly onChange: () => void;
}

const stateTitles = { ready: texts.ready, failing: texts.failing, off: texts.off } as const;

export const ChannelRow = ({ channel, bots, onChange }: ChannelRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [outcome, setOutcome] = useState<ChannelTest>();
  const [isAsking, setAsking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const nameId = useId();
  const { name, unknown } = channel;
  const test = async (): Promise<void> => {
    setOutcome(undefined);
    await submission.run(async () => {
      const found = await (await client.channels()).test(name);
      setOutcome(found);
      announce(plainWords(found.detail) ?? "", "unseen");
    });
    onChange();
  };
  const remove = async (): Promise<void> => {
    setAsking(false);
    if (!(await submission.run(async () => (await client.channels()).remove(name)))) return;
    announce(texts.channelRemoved(toVisible(name)));
    onChange();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <About channel={channel} nameId={nameId} />
        <ChannelButtons
          name={toVisible(name)}
          isBusy={submission.isBusy}
          isEditing={isEditing}
          onTest={() => observe(test())}
          onEdit={() => setEditing(!isEditing)}
          onRemove={() => setAsking(true)}
        />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {outcome === undefined ? undefined : (
        <Notice kind={outcome.ok ? "success" : "danger"}>{plainWords(outcome.detail)}</Notice>
      )}
      {isEditing ? (
        <EditChannel
          channel={channel}
          bots={bots}
          onClose={() => setEditing(false)}
          onChanged={() => {
            setOutcome(undefined);
            onChange();
          }}
        />
      ) : undefined}
      <ConfirmDialog
        title={texts.removeChannelTitle(toVisible(name))}
        text={texts.channelRemovalEffect}
        confirm={texts.remove}
        isDanger
        isOpen={isAsking}
        onConfirm={() => observe(remove())}
        onClose={() => setAsking(false)}
      />
      {unknown === 0 ? undefined : <UnknownDeliveries channel={name} onDecided={onChange} />}
    </li>
  );
};

interface AboutProps {
  readonly channel: ChannelInfo;
  readonly nameId: string;
}

const About = ({ channel: { name, agent, state, error, queued }, nameId }: AboutProps) => (
  <span className={styles.about}>
    <span id={nameId} className={styles.name}>
      {toVisible(name)}
    </span>
    <span className={state === "ready" ? styles.quiet : styles.missing}>
      {[stateTitles[state], plainWords(error?.message)].filter((text) => text !== undefined).join(": ")}
    </span>
    <span className={styles.quiet}>
      {[texts.answeredBy(toVisible(agent)), ...(queued > 0 ? [texts.queued(queued)] : [])].join(" · ")}
    </span>
  </span>
);

interface ChannelButtonsProps {
  /** The name of the channel as the user sees it. */
  readonly name: string;
  readonly isBusy: boolean;
  readonly isEditing: boolean;
  readonly onTest: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const ChannelButtons = ({ name, isBusy, isEditing, onTest, onEdit, onRemove }: ChannelButtonsProps) => (
  <span className={styles.buttons}>
    <Button size="small" aria-label={texts.testChannel(name)} isBusy={isBusy} onClick={onTest}>
      {texts.test}
    </Button>
    <Button size="small" kind="quiet" aria-label={texts.editChannel(name)} aria-expanded={isEditing} onClick={onEdit}>
      {texts.edit}
    </Button>
    <Button size="small" kind="quiet" aria-label={texts.removeChannel(name)} disabled={isBusy} onClick={onRemove}>
      {texts.remove}
    </Button>
  </span>
);

interface UnknownDeliveriesProps {
  readonly channel: string;
  readonly onDecided: () => void;
}

const UnknownDeliveries = ({ channel, onDecided }: UnknownDeliveriesProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const answer = useAnswer(
    useCallback(
      async () => (await client.channels()).outbox(channel, { state: "unknown", limit: 100 }),
      [client, channel],
    ),
  );
  const decide = async ({ id }: Delivery, decision: DeliveryDecision): Promise<void> => {
    if (!(await submission.run(async () => (await client.channels()).decide(id, decision)))) return;
    announce(decision === "resend" ? texts.sentAgain : texts.left);
    answer.again();
    onDecided();
  };
  return (
    <>
      <h3>{texts.unknownDeliveries}</h3>
      <p className={styles.quiet}>{texts.unknownDeliveriesDetail}</p>
      <AnswerView answer={answer}>
        {(deliveries) => (
          <ul className={styles.list}>
            {deliveries
              .filter(({ endedAt }) => endedAt === undefined)
              .map((delivery) => (
                <li key={delivery.id} className={styles.row}>
                  <span className={styles.about}>
                    <span>
                      {toVisible(delivery.spoken === true ? texts.spokenDelivery(delivery.text) : delivery.text)}
                    </span>
                    <span className={styles.quiet}>
                      <Time at={delivery.createdAt} style="relative" />
                    </span>
                  </span>
                  <span className={styles.buttons}>
                    <Button
                      size="small"
                      aria-label={texts.sendAgainTo(toVisible(channel))}
                      disabled={submission.isBusy}
                      onClick={() => observe(decide(delivery, "resend"))}
                    >
                      {texts.sendAgain}
                    </Button>
                    <Button
                      size="small"
                      kind="quiet"
                      aria-label={texts.leaveOf(toVisible(channel))}
                      disabled={submission.isBusy}
                      onClick={() => observe(decide(delivery, "leave"))}
                    >
                      {texts.leave}
                    </Button>
                  </span>
                </li>
              ))}
          </ul>
        )}
      </AnswerView>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </>
  );
};
