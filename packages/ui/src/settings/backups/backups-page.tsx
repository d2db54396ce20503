/** Shows the backups of the house, their folder or server, and the disk space of the house. */
import { observe } from "@hearth/client";
import type { BackupState } from "@hearth/protocol";
import { useCallback, useId } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { AddTarget } from "./add-target.tsx";
import { RestoreSection } from "./restore-section.tsx";
import { ScheduleSection } from "./schedule-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import { TargetButtons } from "./target-buttons.tsx";
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
        <AnswerView answer={answer}>
          {(places) =>
            places.length === 0 ? (
              <p className={styles.quiet}>{texts.noBackupTargets}</p>
            ) : (
              <ul className={styles.list}>
                {places.map((place) => (
                  <BackupRow key={place.target ?? ""} place={place} onStarted={again} />
                ))}
              </ul>
            )
          }
        </AnswerView>
      </Section>
      <ScheduleSection onSaved={again} />
      <AddTarget places={answer.value ?? []} onAdded={again} />
      <RestoreSection places={answer} />
      <StorageSection />
    </>
  );
};

export interface BackupRowProps {
  readonly place: BackupState;
  /** Called when a backup began, and when the target changed. */
  readonly onStarted: () => void;
}

export const BackupRow = ({ place, onStarted }: BackupRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const nameId = useId();
  const { target, to, isRunning, isLate, problem } = place;
  const name = target === undefined ? texts.localFolder : toVisible(target);
  const start = async (): Promise<void> => {
    if (!(await submission.run(async () => client.makeBackup(target)))) return;
    announce(texts.backupStarted);
    onStarted();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span className={styles.name} id={nameId}>
            {texts.backupTarget(name, toVisible(to))}
          </span>
          <Facts place={place} />
        </span>
        <span className={styles.buttons}>
          <Button
            size="small"
            aria-label={texts.backUpTo(name)}
            isBusy={submission.isBusy || isRunning}
            onClick={() => observe(start())}
          >
            {texts.backUpNow}
          </Button>
        </span>
      </div>
      {target === undefined ? undefined : <TargetButtons place={place} name={target} onChanged={onStarted} />}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {problem === undefined ? undefined : (
        <Notice kind="danger" title={texts.backupFailed}>
          {plainWords(problem)}
        </Notice>
      )}
      {isLate && problem === undefined ? <Notice kind="danger">{texts.backupLate}</Notice> : undefined}
    </li>
  );
};

const Facts = ({ place: { last, nextAt, isRunning, isEncrypted } }: { readonly place: BackupState }) => (
  <span className={styles.quiet}>
    {last === undefined ? (
      texts.noBackup
    ) : (
      <>
        {texts.lastBackup(last.number)} · <Time at={last.at} style="date-time" />
      </>
    )}
    {isRunning ? ` · ${texts.backupRunning}` : undefined}
    {nextAt === undefined ? undefined : (
      <>
        {` · ${texts.nextBackup} `}
        <Time at={nextAt} style="date-time" />
      </>
    )}
    {isEncrypted ? ` · ${texts.encrypted}` : undefined}
  </span>
);
