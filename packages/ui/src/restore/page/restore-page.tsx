/** Lists the work that a restored house would repeat, and asks whether to continue or discard it. */
import { observe } from "@hearth/client";
import type { RestoreDecision, RestoreState } from "@hearth/protocol";
import { useMemo, useState } from "react";
import { PageHeader } from "../../design/page-header.tsx";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { RestoreWorkList } from "./restore-work-list.tsx";
import styles from "./restore.module.css";
import * as texts from "./text.ts";

export const RestorePage = () => {
  const { client } = useUi();
  const request = useRequest(useMemo(() => () => client.restore.state(), [client]));
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <PageHeader title={texts.restoredHouse} />
        <RequestView request={request}>
          {(state) =>
            state.onHold ? <OnHold state={state} onDecided={request.reload} /> : <p>{texts.houseIsNotOnHold}</p>
          }
        </RequestView>
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
  const submission = useSubmission();
  const [isConfirming, setConfirming] = useState(false);
  const decide = async (decision: RestoreDecision): Promise<void> => {
    setConfirming(false);
    const isDone = await submission.run(async () => void (await client.restore.decide(decision)));
    // The state is fetched again even after an error, because another admin may have decided.
    house.refresh();
    onDecided();
    if (isDone) announce(decision === "continue" ? texts.houseContinues : texts.workDiscarded);
  };
  return (
    <>
      <p>{texts.onHoldDetail}</p>
      <ul className={styles.list}>
        {state.findings.map(({ id, detail }) => (
          <li key={id}>{toVisible(detail)}</li>
        ))}
      </ul>
      <RestoreWorkList work={state.work} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" isBusy={submission.isBusy} onClick={() => observe(decide("continue"))}>
          {texts.continueWork}
        </Button>
        <Button kind="danger" isBusy={submission.isBusy} onClick={() => setConfirming(true)}>
          {texts.discardWork}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.discardWorkTitle}
        text={texts.discardWorkEffect}
        confirm={texts.discardWork}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(decide("discard"))}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};
