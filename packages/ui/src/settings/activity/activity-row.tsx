/** One run: a summary line that expands to its details and steps. */
import { type Activation, type ActivationDetail, fromErrorBody } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { Link } from "wouter";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { formatFull, Time } from "../../house/time.tsx";
import { runPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "./activity.module.css";
import {
  formatDuration,
  describeOutcome,
  describeStep,
  formatTokens,
  describeReason,
  triggerWords,
} from "./activity-words.ts";
import { pathOfConversation } from "../place.ts";
import pageStyles from "../settings.module.css";
import { useInterval } from "../../house/interval.ts";
import * as texts from "./text.ts";

/** Refresh interval while the run is active. */
const POLL_INTERVAL_MS = 2000;

export interface ActivityRowProps {
  readonly activation: Activation;
  /** The log of a room shows the agent of each line. */
  readonly shouldShowAgent: boolean;
}

export const ActivityRow = ({ activation, shouldShowAgent }: ActivityRowProps) => {
  const { agents, rooms } = useHouse();
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const { agent, room, trigger, createdAt, startedAt, endedAt, model } = activation;
  const roomName = rooms.find((entry) => entry.room.id === room)?.room.content.name ?? texts.hiddenRoom;
  const facts = [
    shouldShowAgent ? (agents.get(agent)?.content.name ?? texts.formerMember) : texts.inRoom(roomName),
    triggerWords[trigger],
    model,
    formatTokens(activation),
    formatDuration(startedAt, endedAt),
  ].filter((fact) => fact !== undefined);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailId : undefined}
        className={styles.head}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={pageStyles.about}>
          <span className={classes(pageStyles.name, activation.state === "failed" && styles.failed)}>
            {describeOutcome(activation)}
          </span>
          <span className={pageStyles.quiet}>{toVisible(facts.join(" · "))}</span>
        </span>
        <span className={pageStyles.quiet}>
          <Time at={createdAt} style="relative" />
        </span>
        <span className={classes(styles.chevron, isOpen && styles.open)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <div id={detailId} className={styles.detail}>
          <Detail activation={activation} />
        </div>
      ) : undefined}
    </>
  );
};

const Detail = ({ activation }: { readonly activation: Activation }) => {
  const { client } = useUi();
  const { id } = activation;
  const request = useRequest(useCallback(() => client.activations.get(id), [client, id]));
  const { value, reload } = request;
  const hasEnded = value?.endedAt !== undefined;
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => {
      if (!hasEnded) reload();
    }, [hasEnded, reload]),
  );
  return <RequestView request={request}>{(detail) => <ActivityDetail detail={detail} />}</RequestView>;
};

export const ActivityDetail = ({ detail }: { readonly detail: ActivationDetail }) => {
  const { agents, rooms } = useHouse();
  const { message, room: id, createdAt, error, steps, depth } = detail;
  const room = rooms.find((entry) => entry.room.id === id)?.room;
  const reason = describeReason(detail);
  const author = message === undefined ? undefined : agents.get(message.author)?.content.name;
  return (
    <>
      {error === undefined ? undefined : <ErrorNotice error={fromErrorBody(error)} />}
      {reason === undefined || error !== undefined ? undefined : <p>{toVisible(reason)}</p>}
      <dl className={pageStyles.facts}>
        <div>
          <dt>{texts.time}</dt>
          <dd>{formatFull(createdAt)}</dd>
        </div>
        <div>
          <dt>{texts.message}</dt>
          <dd>
            {message === undefined ? texts.deleted : toVisible(`${author ?? texts.formerMember}: ${message.text}`)}{" "}
            {room === undefined ? undefined : (
              <Link href={pathOfConversation(room.handle)}>{texts.openRoom(toVisible(room.content.name))}</Link>
            )}
          </dd>
        </div>
        {depth === 0 ? undefined : (
          <div>
            <dt>{texts.messagesInARow}</dt>
            <dd>{depth}</dd>
          </div>
        )}
      </dl>
      {steps.length === 0 ? (
        <p className={pageStyles.quiet}>{texts.noCalls}</p>
      ) : (
        <ol className={styles.steps} aria-label={texts.steps}>
          {steps.map((step) => (
            <li key={step.step}>
              <span>
                {toVisible(describeStep(step))}
                {step.failed === true || step.state === "unknown" ? (
                  <span className={styles.failed}>{step.failed === true ? texts.failed : texts.unknownResult}</span>
                ) : undefined}
              </span>
              {step.glimpse === undefined ? undefined : (
                <span className={pageStyles.quiet}>{toVisible(step.glimpse)}</span>
              )}
              <span className={pageStyles.quiet}>
                {[formatDuration(step.startedAt, step.endedAt), step.usage && formatTokens({ usage: step.usage })]
                  .filter((fact) => fact !== undefined)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <Link href={runPath(detail.id)}>{texts.showRun}</Link>
      </p>
    </>
  );
};
