/** The section that restores the house from one of its backups. */
import { observe } from "@hearth/client";
import { type BackupCopy, type BackupRestore, type BackupState, isHearthError } from "@hearth/protocol";
import { useCallback, useRef, useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Field, Select, TextArea } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import * as designTexts from "../../design/text.ts";
import { type RequestState, useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { showSize } from "../../language/text.ts";
import { ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 2000;

export interface RestoreSectionProps {
  /** The local folder and the targets that contain backups. */
  readonly places: RequestState<readonly BackupState[]>;
}

export const RestoreSection = ({ places }: RestoreSectionProps) => {
  const { restore, showRestore } = useRestore();
  const [target, setTarget] = useState<string>();
  const [isListing, setListing] = useState(false);
  const isBusy = isInProgress(restore);
  return (
    <Section title={texts.restore} text={texts.restoreIntroduction}>
      <RestoreProgress restore={restore} />
      <RequestView request={places}>
        {(loadedPlaces) =>
          loadedPlaces.length === 0 || isBusy ? undefined : (
            <>
              {loadedPlaces.length === 1 && loadedPlaces[0]?.target === undefined ? undefined : (
                <Field label={texts.restoreFrom}>
                  {(ids) => (
                    <Select
                      {...ids}
                      value={target ?? ""}
                      onChange={({ target: { value } }) => setTarget(value || undefined)}
                    >
                      {loadedPlaces.map((place) => (
                        <option key={place.target ?? ""} value={place.target ?? ""}>
                          {place.target === undefined ? texts.localFolder : toVisible(place.target)}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              )}
              {isListing ? (
                <Copies key={target ?? ""} target={target} onStarted={showRestore} />
              ) : (
                <div className={styles.buttons}>
                  <Button onClick={() => setListing(true)}>{texts.showCopies}</Button>
                </div>
              )}
            </>
          )
        }
      </RequestView>
    </Section>
  );
};

const isInProgress = ({ state }: BackupRestore): boolean => state === "preparing" || state === "restarting";

/** Polls the state of a restore, and reloads the app when the house has started with the backup. */
const useRestore = () => {
  const { client, page } = useUi();
  const [restore, setRestore] = useState<BackupRestore>({ state: "none" });
  const shownRestore = useRef(restore);
  const showRestore = useCallback((newState: BackupRestore): void => {
    shownRestore.current = newState;
    setRestore(newState);
  }, []);
  const pollRestore = useCallback(async (): Promise<void> => {
    const previousState = shownRestore.current;
    try {
      const newState = await client.backupRestore();
      if (isInProgress(previousState) && newState.state === "none") return page.reload();
      showRestore(newState);
    } catch (error) {
      // A login that is newer than the backup is invalid after the restore. After other failures, the
      // next poll tries again.
      if (isInProgress(previousState) && isHearthError(error) && error.code.startsWith("auth.")) page.reload();
    }
  }, [client, page, showRestore]);
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => observe(pollRestore()), [pollRestore]),
  );
  return { restore, showRestore };
};

export const RestoreProgress = ({ restore: { state, number = 0, problem } }: { readonly restore: BackupRestore }) => {
  switch (state) {
    case "none":
      return undefined;
    case "preparing":
      return <Notice kind="info">{texts.preparingRestore(number)}</Notice>;
    case "restarting":
      return <Notice kind="info">{texts.restartingHouse(number)}</Notice>;
    case "failed":
      return (
        <Notice kind="danger" title={texts.restoreFailed(number)}>
          {plainWords(problem)}
        </Notice>
      );
  }
};

interface CopiesProps {
  readonly target: string | undefined;
  readonly onStarted: (restore: BackupRestore) => void;
}

const Copies = ({ target, onStarted }: CopiesProps) => {
  const { client } = useUi();
  const request = useRequest(
    useCallback(async () => (await client.backupCopies(target)).toReversed(), [client, target]),
  );
  const [chosenCopy, setChosenCopy] = useState<BackupCopy>();
  return (
    <RequestView request={request}>
      {(copies) => (
        <>
          <CopyTable copies={copies} onChoose={setChosenCopy} />
          {chosenCopy === undefined ? undefined : (
            <RestoreDialog
              target={target}
              copy={chosenCopy}
              onClose={() => setChosenCopy(undefined)}
              onStarted={onStarted}
            />
          )}
        </>
      )}
    </RequestView>
  );
};

export interface CopyTableProps {
  readonly copies: readonly BackupCopy[];
  readonly onChoose: (copy: BackupCopy) => void;
}

export const CopyTable = ({ copies, onChoose }: CopyTableProps) => (
  <ListTable
    label={texts.restore}
    rows={copies}
    keyOf={({ number }) => String(number)}
    nameOf={({ number }) => texts.backupNumber(number)}
    columns={[
      { title: texts.copy, cell: ({ number }) => <span className={styles.name}>{texts.backupNumber(number)}</span> },
      { title: texts.state, cell: (copy) => <CopyState copy={copy} /> },
      { title: texts.made, cell: ({ at }) => (at === undefined ? undefined : <Time at={at} style="date-time" />) },
      { title: texts.size, cell: ({ bytes }) => (bytes === undefined ? undefined : showSize(bytes)) },
      {
        title: texts.restore,
        cell: (copy) => (
          <Button
            size="small"
            aria-label={texts.restoreBackup(copy.number)}
            disabled={copy.state === "damaged"}
            onClick={() => onChoose(copy)}
          >
            {texts.restore}
          </Button>
        ),
      },
    ]}
    empty={<p className={styles.quiet}>{texts.noCopies}</p>}
  />
);

const CopyState = ({ copy: { state, isEncrypted, problem } }: { readonly copy: BackupCopy }) => (
  <span className={styles.about}>
    <Badge kind={state === "complete" ? "success" : "danger"}>
      {state === "complete" ? texts.complete : texts.damaged}
    </Badge>
    {problem === undefined ? undefined : <span className={styles.missing}>{plainWords(problem)}</span>}
    {isEncrypted === true ? <span className={styles.quiet}>{texts.encrypted}</span> : undefined}
  </span>
);

interface RestoreDialogProps extends CopiesProps {
  readonly copy: BackupCopy;
  readonly onClose: () => void;
}

const RestoreDialog = ({ target, copy, onClose, onStarted }: RestoreDialogProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [privateKey, setPrivateKey] = useState("");
  const { number, isEncrypted } = copy;
  const start = (): Promise<boolean> =>
    submission.run(async () => {
      const restore = await client.restoreBackup({
        number,
        ...(target === undefined ? {} : { target }),
        ...(isEncrypted === true ? { identity: privateKey } : {}),
      });
      onClose();
      onStarted(restore);
    });
  return (
    <Dialog
      title={texts.restoreTitle(number)}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{designTexts.cancel}</Button>
          <Button kind="danger" isBusy={submission.isBusy} onClick={() => observe(start())}>
            {texts.restoreBackup(number)}
          </Button>
        </>
      }
    >
      <p>{texts.restoreConsequences}</p>
      <p>{texts.restoreLogin}</p>
      {isEncrypted === true ? (
        <Field label={texts.privateKey} hint={texts.privateKeyHint}>
          {(ids) => (
            <TextArea {...ids} value={privateKey} rows={4} onChange={({ target: { value } }) => setPrivateKey(value)} />
          )}
        </Field>
      ) : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </Dialog>
  );
};
