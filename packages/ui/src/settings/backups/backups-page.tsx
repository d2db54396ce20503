/** Shows the backups of the house, their folder or server, and the disk space of the house. */
import type { BackupState } from "@hearth/protocol";
import { useCallback, useId } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useEvery } from "../../house/every.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useWork } from "../../models/use-work.ts";
import { visible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { RestoreSection } from "./restore-section.tsx";
import { ScheduleSection } from "./schedule-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import * as texts from "./text.ts";

const LOOK_EVERY_MS = 2000;

export const BackupsPage = () => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(() => client.backups(), [client]));
  const { again } = answer;
  useEvery(LOOK_EVERY_MS, again);
  return (
    <>
      <Section title={texts.backups} text={texts.backupsIntroduction}>
        <AnswerView answer={answer}>
          {(places) =>
            places.length === 0 ? (
              <p className={styles.quiet}>{texts.noPlaces}</p>
            ) : (
              <ul className={styles.list}>
                {places.map((place) => (
                  <PlaceRow key={place.target ?? ""} place={place} onStarted={again} />
                ))}
              </ul>
            )
          }
        </AnswerView>
      </Section>
      <ScheduleSection onSaved={again} />
      <RestoreSection places={answer} />
      <StorageSection />
    </>
  );
};

export interface PlaceRowProps {
  readonly place: BackupState;
  readonly onStarted: () => void;
}

export const PlaceRow = ({ place, onStarted }: PlaceRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const nameId = useId();
  const { target, to, isRunning, isLate, problem } = place;
  const name = target === undefined ? texts.folder : visible(target);
  const start = async (): Promise<void> => {
    if (!(await work.run(async () => client.makeBackup(target)))) return;
    announce(texts.backupStarted);
    onStarted();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <span className={styles.about}>
          <span className={styles.name} id={nameId}>
            {texts.place(name, visible(to))}
          </span>
          <Facts place={place} />
        </span>
        <span className={styles.buttons}>
          <Button
            size="small"
            aria-label={texts.backUpTo(name)}
            isBusy={work.isBusy || isRunning}
            onClick={() => void start()}
          >
            {texts.backUpNow}
          </Button>
        </span>
      </div>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {problem === undefined ? undefined : (
        <Notice kind="danger" title={texts.failed}>
          {plainWords(problem)}
        </Notice>
      )}
      {isLate && problem === undefined ? <Notice kind="danger">{texts.isLate}</Notice> : undefined}
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
    {isRunning ? ` · ${texts.isRunning}` : undefined}
    {nextAt === undefined ? undefined : (
      <>
        {` · ${texts.nextBackup} `}
        <Time at={nextAt} style="date-time" />
      </>
    )}
    {isEncrypted ? ` · ${texts.encrypted}` : undefined}
  </span>
);
