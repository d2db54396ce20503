/**
 * A running agent at the end of the room: its current step, its output so far and a stop button.
 */
import { observe, type LiveActivation } from "@hearth/client";
import { includesLevel } from "@hearth/protocol";
import { useEffect, useState } from "react";
import type { WaitingProps } from "../../approvals/waiting.tsx";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { holdOf } from "../../house/holds.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { useNow } from "../../house/time.tsx";
import { useHouse } from "../../house/ui.tsx";
import styles from "./activation.module.css";
import { Author } from "../messages/author.tsx";
import messageStyles from "../messages/message.module.css";
import { Parts } from "../messages/parts.tsx";
import { nameAgent, useRoomView } from "../room-view.tsx";
import { type Activity, describeActivity, describeWait } from "./tool-words.ts";
import * as texts from "../text.ts";

const Waiting = createLazyPart<WaitingProps>({
  load: async () => (await import("../../approvals/waiting.tsx")).Waiting,
});

export interface LiveRunProps {
  readonly activation: LiveActivation;
  readonly isGroupStart: boolean;
  /** Whether it is the only run. The composer stops that one, so it has no button here. */
  readonly isSole: boolean;
}

export const LiveRun = ({ activation, isGroupStart, isSole }: LiveRunProps) => {
  const { agents, receivedParts } = useRoomView();
  const { id, agent, parts } = activation;
  const name = nameAgent(agents, agent);
  useEffect(() => {
    receivedParts.set(id, parts);
  }, [receivedParts, id, parts]);
  return (
    <article aria-label={texts.working(name)} className={messageStyles.message}>
      {isGroupStart ? <Author name={name} /> : undefined}
      {parts.length === 0 ? undefined : <Parts activation={id} agent={agent} parts={parts} isStreaming />}
      {activation.state === "waiting" ? <Waiting activation={activation} name={name} /> : undefined}
      <RunStatus activation={activation} name={name} isSole={isSole} />
    </article>
  );
};

interface RunStatusProps extends Pick<LiveRunProps, "activation" | "isSole"> {
  readonly name: string;
}

const RunStatus = ({ activation, name, isSole }: RunStatusProps) => {
  const [failure, stop] = useStop(activation, name);
  const { holds } = useHouse();
  const { level } = useRoomView();
  const activity = describeActivity(activation, holdOf(holds, activation.agent) === undefined ? "free" : "held");
  return (
    <>
      <div className={styles.foot}>
        <span className={styles.activity}>
          <span className={styles.ember} aria-hidden="true" />
          <bdi>{activity.words}</bdi>
          <Wait activity={activity} />
        </span>
        {!isSole && includesLevel(level, "w") ? (
          <Button size="small" icon="stop" isBusy={activation.isStopping} onClick={() => observe(stop())}>
            {texts.stop}
          </Button>
        ) : undefined}
      </div>
      {failure === undefined ? undefined : <ErrorNotice error={failure} shape="line" />}
    </>
  );
};

const Wait = ({ activity }: { readonly activity: Activity }) => {
  const waitText = describeWait(activity, useNow(1000));
  return waitText === undefined ? undefined : <span className={styles.wait}>{waitText}</span>;
};

/** Returns the error of the last stop, and a function that stops the run. */
const useStop = ({ id }: LiveActivation, name: string): readonly [unknown, () => Promise<void>] => {
  const { reader, focusComposer } = useRoomView();
  const announce = useAnnounce();
  const [failure, setFailure] = useState<unknown>();
  const stop = async (): Promise<void> => {
    setFailure(undefined);
    announce(texts.stopping(name), "unseen");
    try {
      await reader.stop(id);
      focusComposer();
    } catch (error) {
      setFailure(error);
    }
  };
  return [failure, stop];
};
