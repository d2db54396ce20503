/** The expanded row of a channel: deliveries with an unknown outcome, and a form for its settings. */
import { observe } from "@hearth/client";
import type { AgentRecord, ChannelInfo, Delivery, DeliveryDecision } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { EditChannel } from "./edit-channel.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ChannelDetailProps {
  readonly channel: ChannelInfo;
  /** The agents that can answer. */
  readonly bots: readonly AgentRecord[];
  readonly onChanged: () => void;
}

export const ChannelDetail = ({ channel, bots, onChanged }: ChannelDetailProps) => (
  <div className={styles.section}>
    {channel.unknown === 0 ? undefined : <UnknownDeliveries channel={channel.name} onDecided={onChanged} />}
    <EditChannel channel={channel} bots={bots} onChanged={onChanged} />
  </div>
);

interface UnknownDeliveriesProps {
  readonly channel: string;
  readonly onDecided: () => void;
}

const UnknownDeliveries = ({ channel, onDecided }: UnknownDeliveriesProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const request = useRequest(
    useCallback(
      async () => (await client.channels()).outbox(channel, { state: "unknown", limit: 100 }),
      [client, channel],
    ),
  );
  const decide = async ({ id }: Delivery, decision: DeliveryDecision): Promise<void> => {
    if (!(await submission.run(async () => (await client.channels()).decide(id, decision)))) return;
    announce(decision === "resend" ? texts.sentAgain : texts.messageIsNotSentAgain);
    request.reload();
    onDecided();
  };
  return (
    <>
      <h3>{texts.unknownDeliveries}</h3>
      <p className={styles.quiet}>{texts.unknownDeliveriesDetail}</p>
      <RequestView request={request}>
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
      </RequestView>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </>
  );
};
