/** The places of backups as a table: their state, and their last and next backup. */
import { observe } from "@hearth/client";
import type { BackupState, BackupTest } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { plainWords } from "../../design/error-words.ts";
import { ErrorNotice } from "../../design/notice.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { type BulkChange, ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";
import { ChangeTarget } from "./change-target.tsx";
import * as texts from "./text.ts";

export interface BackupTableProps {
  /** The local folder and the targets that contain backups. */
  readonly places: readonly BackupState[];
  /** Called when a backup began, and when targets changed. */
  readonly onChanged: () => void;
}

export const BackupTable = ({ places, onChanged }: BackupTableProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const startSubmission = useSubmission();
  const [changedPlace, setChangedPlace] = useState<BackupState>();
  const { results, changes } = useTargetChanges();
  const close = (): void => setChangedPlace(undefined);
  const start = async (target: string | undefined): Promise<void> => {
    if (!(await startSubmission.run(async () => client.makeBackup(target)))) return;
    announce(texts.backupStarted);
    onChanged();
  };
  return (
    <>
      <ListTable
        label={texts.backups}
        rows={places}
        keyOf={keyOf}
        nameOf={nameOf}
        columns={columnsOf(results, startSubmission.isBusy, (target) => observe(start(target)))}
        choices={[{ id: "change", label: texts.change, icon: "edit", applies: isTarget, onChoose: setChangedPlace }]}
        changes={changes}
        onChanged={onChanged}
        empty={<p className={styles.quiet}>{texts.noBackupTargets}</p>}
      />
      {startSubmission.error === undefined ? undefined : <ErrorNotice error={startSubmission.error} />}
      <Dialog
        title={changedPlace === undefined ? "" : texts.changeTarget(nameOf(changedPlace))}
        isOpen={changedPlace !== undefined}
        onClose={close}
      >
        {changedPlace?.target === undefined ? undefined : (
          <ChangeTarget
            place={changedPlace}
            name={changedPlace.target}
            onClose={close}
            onSaved={() => {
              close();
              onChanged();
            }}
          />
        )}
      </Dialog>
    </>
  );
};

const keyOf = ({ target = "" }: BackupState): string => target;
const nameOf = ({ target }: BackupState): string => (target === undefined ? texts.localFolder : toVisible(target));

/** Whether the place is a target. The settings of the folder are in another section. */
const isTarget = ({ target }: BackupState): boolean => target !== undefined;

/** The result of the last test of each target on this page, by name. */
type TestResults = ReadonlyMap<string, BackupTest>;

interface TargetChanges {
  readonly results: TestResults;
  readonly changes: readonly BulkChange<BackupState>[];
}

const useTargetChanges = (): TargetChanges => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [results, setResults] = useState<TestResults>(new Map());
  return {
    results,
    changes: [
      {
        id: "test",
        label: texts.test,
        icon: "check",
        title: texts.testCount,
        applies: isTarget,
        async run(place) {
          const name = keyOf(place);
          setResults((previousResults) => new Map([...previousResults].filter(([otherName]) => otherName !== name)));
          const result = await (await client.backupTargets()).test(name);
          setResults((previousResults) => new Map([...previousResults, [name, result]]));
          announce(texts.testResult(nameOf(place), describeTest(result)), "unseen");
        },
      },
      {
        id: "remove",
        label: texts.remove,
        icon: "delete",
        title: texts.removeCount,
        confirm: { title: texts.removeTargets, text: texts.removalEffect },
        isDanger: true,
        applies: isTarget,
        run: async (place) => (await client.backupTargets()).remove(keyOf(place)),
        done: texts.removedCount,
      },
    ],
  };
};

const describeTest = ({ ok, detail }: BackupTest): string => (ok ? texts.testPassed : toVisible(detail));

const columnsOf = (
  results: TestResults,
  isBusy: boolean,
  onStart: (target: string | undefined) => void,
): readonly [TableColumn<BackupState>, ...TableColumn<BackupState>[]] => [
  {
    title: texts.place,
    cell: (place) => (
      <span className={styles.about}>
        <span className={styles.name}>{nameOf(place)}</span>
        <span className={styles.quiet}>{toVisible(place.to)}</span>
      </span>
    ),
  },
  { title: texts.state, cell: (place) => <PlaceState place={place} result={results.get(keyOf(place))} /> },
  { title: texts.last, cell: ({ last }) => <LastBackup last={last} /> },
  {
    title: texts.next,
    cell: (place) => (
      <span className={styles.buttons}>
        {place.nextAt === undefined ? undefined : <Time at={place.nextAt} style="date-time" />}
        <Button
          size="small"
          aria-label={texts.backUpTo(nameOf(place))}
          isBusy={isBusy || place.isRunning}
          onClick={() => onStart(place.target)}
        >
          {texts.backUpNow}
        </Button>
      </span>
    ),
  },
];

interface PlaceStateProps {
  readonly place: BackupState;
  readonly result: BackupTest | undefined;
}

const PlaceState = ({ place, result }: PlaceStateProps) => {
  const { isEncrypted, problem } = place;
  const { kind, title } = badgeOf(place);
  return (
    <span className={styles.about}>
      <Badge kind={kind}>{title}</Badge>
      {problem === undefined ? undefined : <span className={styles.missing}>{plainWords(problem)}</span>}
      {result === undefined ? undefined : (
        <span className={result.ok ? styles.quiet : styles.missing}>
          {texts.testResult(texts.test, describeTest(result))}
        </span>
      )}
      {isEncrypted ? <span className={styles.quiet}>{texts.encrypted}</span> : undefined}
    </span>
  );
};

const badgeOf = ({ problem, isRunning, isLate, last }: BackupState) => {
  if (isRunning) return { kind: "accent", title: texts.backupRunning } as const;
  if (problem !== undefined) return { kind: "danger", title: texts.failed } as const;
  if (isLate) return { kind: "danger", title: texts.late } as const;
  return last === undefined
    ? ({ kind: "plain", title: texts.noBackup } as const)
    : ({ kind: "success", title: texts.upToDate } as const);
};

const LastBackup = ({ last }: Pick<BackupState, "last">) =>
  last === undefined ? (
    texts.none
  ) : (
    <span className={styles.about}>
      <span>{texts.backupNumber(last.number)}</span>
      <span className={styles.quiet}>
        <Time at={last.at} style="date-time" />
      </span>
    </span>
  );
