/** A run that ended without a reply, below its message: the reason and possible actions. */
import { observe, type EndedActivation, type RoomMessage } from "@hearth/client";
import { fromErrorBody, includesLevel, type RoomRecord } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice } from "../../design/notice.tsx";
import { Author } from "../messages/author.tsx";
import styles from "./ended.module.css";
import messageStyles from "../messages/message.module.css";
import { settingsOf } from "../participants.ts";
import { Parts } from "../messages/parts.tsx";
import { nameAgent, useRoomView } from "../room-view.tsx";
import { describeStopped } from "./stopped-words.ts";
import * as texts from "../text.ts";

export interface EndedRunProps {
  readonly activation: EndedActivation;
  readonly cause: RoomMessage;
}

export const EndedRun = ({ activation, cause }: EndedRunProps) => {
  const { room, agents } = useRoomView();
  const name = nameAgent(agents, activation.agent);
  return (
    <>
      {cause.isDeleted ? undefined : <Unfinished activation={activation} name={name} />}
      {activation.state === "failed" ? (
        <FailedRun activation={activation} cause={cause} name={name} />
      ) : (
        <p className={styles.quiet} dir="auto">
          {describeEnd(activation, name, room)}
        </p>
      )}
    </>
  );
};

/** The incomplete reply, if this page received it. The house stores only complete replies. */
const Unfinished = ({
  activation: { id, agent },
  name,
}: Pick<EndedRunProps, "activation"> & { readonly name: string }) => {
  const parts = (useRoomView().receivedParts.get(id) ?? []).filter(
    (part) => part.kind === "text" || part.state !== "running",
  );
  if (parts.length === 0) return undefined;
  return (
    <article aria-label={texts.incompleteReply(name)} className={messageStyles.message}>
      <Author name={name} />
      <Parts activation={id} agent={agent} parts={parts} />
    </article>
  );
};

const FailedRun = ({ activation, cause, name }: EndedRunProps & { readonly name: string }) => {
  const { reader, level, agents } = useRoomView();
  const { agent, error, reason } = activation;
  const record = agents.get(agent);
  const body = error ?? { code: "activation.failed" as const, message: reason ?? texts.couldNotAnswer(name) };
  const canRetry = !cause.isDeleted && includesLevel(level, "w");
  const [failure, setFailure] = useState<unknown>();
  const retry = (): void => observe(reader.retryActivation(activation.id).catch(setFailure));
  return (
    <div role="group" aria-label={texts.failedRun(name)}>
      <ErrorNotice
        error={fromErrorBody(body)}
        shape="line"
        agent={record === undefined ? undefined : settingsOf(record)}
        button={
          canRetry ? (
            <Button size="small" icon="retry" onClick={retry}>
              {texts.tryAgain}
            </Button>
          ) : undefined
        }
      />
      {failure === undefined ? undefined : <ErrorNotice error={failure} shape="line" />}
    </div>
  );
};

/** The text that the warden gives for a stop without a specific reason. */
const DEFAULT_STOP_REASON = "It was stopped.";

export const describeEnd = ({ state, reason }: EndedActivation, name: string, room: RoomRecord): string => {
  if (state === "stopped" && (reason === undefined || reason === DEFAULT_STOP_REASON))
    return describeStopped(name, room);
  return plainWords(reason) ?? texts.didNotAnswer(name);
};
