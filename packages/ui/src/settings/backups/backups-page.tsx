/** Shows the backups of the house, their folder or server, and the disk space of the house. */
import { useCallback } from "react";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { Section } from "../form/section.tsx";
import { AddTarget } from "./add-target.tsx";
import { BackupTable } from "./backup-table.tsx";
import { RestoreSection } from "./restore-section.tsx";
import { ScheduleSection } from "./schedule-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 2000;

export const BackupsPage = () => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(() => client.backups(), [client]));
  const { again } = answer;
  useInterval(POLL_INTERVAL_MS, again);
  return (
    <>
      <Section title={texts.backups} text={texts.backupsIntroduction}>
        <AnswerView answer={answer}>{(places) => <BackupTable places={places} onChanged={again} />}</AnswerView>
      </Section>
      <ScheduleSection onSaved={again} />
      <AddTarget places={answer.value ?? []} onAdded={again} />
      <RestoreSection places={answer} />
      <StorageSection />
    </>
  );
};
