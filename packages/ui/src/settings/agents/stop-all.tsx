/** Stops all agents of the house. A banner on every page resumes them. */
import { observe } from "@hearth/client";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { findHold } from "../../house/holds.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const StopAll = () => {
  const { client, house } = useUi();
  const { holds } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const stop = async (): Promise<void> => {
    if (await submission.run(async () => void (await client.stopAll()))) announce(texts.allAgentsStopped);
    // A stop can apply although the request failed, so the state is fetched again.
    else house.refresh();
  };
  const resume = async (): Promise<void> => {
    if (await submission.run(async () => void (await client.resumeAll()))) announce(texts.allAgentsResumed);
  };
  return (
    <Section title={texts.stopAllAgents} text={texts.stopAllDetail}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        {findHold(holds, "house") === undefined ? (
          <Button kind="danger" icon="stop" isBusy={submission.isBusy} onClick={() => observe(stop())}>
            {texts.stopAllNow}
          </Button>
        ) : (
          <Button kind="primary" isBusy={submission.isBusy} onClick={() => observe(resume())}>
            {texts.resumeAllAgents}
          </Button>
        )}
      </div>
    </Section>
  );
};
