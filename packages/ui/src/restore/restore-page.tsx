/**
 * The decision about a restored house: lists the work that it would repeat, and continues or
 * discards it.
 */
import type { RestoreDecision, RestoreState } from "@hearth/protocol";
import { useMemo, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { RestoreWorkList } from "./restore-work-list.tsx";
import styles from "./restore.module.css";

export const RestorePage = () => {
  const { client } = useUi();
  const answer = useAnswer(useMemo(() => () => client.restore.state(), [client]));
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1>Restored house</h1>
        <AnswerView answer={answer}>
          {(state) =>
            state.onHold ? <OnHold state={state} onDecided={answer.again} /> : <p>This house is not on hold.</p>
          }
        </AnswerView>
      </div>
    </div>
  );
};

interface OnHoldProps {
  readonly state: RestoreState;
  readonly onDecided: () => void;
}

const OnHold = ({ state, onDecided }: OnHoldProps) => {
  const { client, house } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [isAsking, setAsking] = useState(false);
  const decide = async (decision: RestoreDecision): Promise<void> => {
    setAsking(false);
    const isDone = await work.run(async () => void (await client.restore.decide(decision)));
    // Refetch even after an error: another admin may have decided.
    house.refresh();
    onDecided();
    if (isDone) announce(decision === "continue" ? "The house continues." : "The queued work was discarded.");
  };
  return (
    <>
      <p>
        This house was restored from a copy and is on hold: agents do not run, and no messages are sent. Work that was
        done after the copy was made may be repeated.
      </p>
      <ul className={styles.list}>
        {state.findings.map(({ id, detail }) => (
          <li key={id}>{visible(detail)}</li>
        ))}
      </ul>
      <RestoreWorkList work={state.work} />
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" isBusy={work.isBusy} onClick={() => void decide("continue")}>
          Continue
        </Button>
        <Button kind="danger" isBusy={work.isBusy} onClick={() => setAsking(true)}>
          Discard queued work
        </Button>
      </div>
      <ConfirmDialog
        title="Discard queued work?"
        text="Queued runs are stopped, queued messages to channels are not sent, and due jobs are skipped. Rooms keep all their messages."
        confirm="Discard queued work"
        isDanger
        isOpen={isAsking}
        onConfirm={() => void decide("discard")}
        onClose={() => setAsking(false)}
      />
    </>
  );
};
