/** Tests, changes and removes a backup target. */
import { observe } from "@hearth/client";
import type { BackupState, BackupTest } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import * as designTexts from "../../design/text.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { KeyFields, NO_KEYS } from "./add-target.tsx";
import { emptySchedule, TargetSchedule, toScheduleChange } from "./target-schedule.tsx";
import * as texts from "./text.ts";

export interface TargetButtonsProps {
  readonly place: BackupState;
  readonly name: string;
  readonly onChanged: () => void;
}

export const TargetButtons = ({ place, name, onChanged }: TargetButtonsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [opened, setOpened] = useState<"change" | "removal">();
  const [tested, setTested] = useState<BackupTest>();
  const test = (): Promise<boolean> => {
    setTested(undefined);
    return submission.run(async () => setTested(await (await client.backupTargets()).test(name)));
  };
  const remove = async (): Promise<void> => {
    setOpened(undefined);
    if (!(await submission.run(async () => (await client.backupTargets()).remove(name)))) return;
    announce(texts.targetRemoved(name));
    onChanged();
  };
  return (
    <div className={styles.form}>
      <div className={styles.buttons}>
        <Button
          size="small"
          isBusy={submission.isBusy}
          aria-label={texts.testTarget(name)}
          onClick={() => observe(test())}
        >
          {texts.test}
        </Button>
        <Button
          size="small"
          aria-label={texts.changeTarget(name)}
          aria-expanded={opened === "change"}
          onClick={() => setOpened(opened === "change" ? undefined : "change")}
        >
          {texts.change}
        </Button>
        <Button size="small" kind="quiet" aria-label={texts.removeTarget(name)} onClick={() => setOpened("removal")}>
          {texts.remove}
        </Button>
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {tested === undefined ? undefined : <TestResult tested={tested} />}
      {opened === "change" ? (
        <ChangeTarget
          place={place}
          name={name}
          onChanged={() => {
            setOpened(undefined);
            onChanged();
          }}
        />
      ) : undefined}
      <ConfirmDialog
        title={texts.removeTargetTitle(name)}
        text={texts.removalEffect}
        confirm={texts.removeTarget(name)}
        isDanger
        isOpen={opened === "removal"}
        onConfirm={() => observe(remove())}
        onClose={() => setOpened(undefined)}
      />
    </div>
  );
};

export const TestResult = ({ tested: { ok, detail } }: { readonly tested: BackupTest }) =>
  ok ? (
    <Notice kind="success">{texts.testPassed}</Notice>
  ) : (
    <Notice kind="danger" title={texts.testFailed}>
      {toVisible(detail)}
    </Notice>
  );

const ChangeTarget = ({ place, name, onChanged }: TargetButtonsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [schedule, setSchedule] = useState(emptySchedule);
  const [keys, setKeys] = useState(NO_KEYS);
  const isStore = place.to.startsWith("s3:");
  const accessKeyId = keys.id.trim();
  const secretAccessKey = keys.secret.trim();
  const hasKeys = isStore && (accessKeyId !== "" || secretAccessKey !== "");
  const change = { ...toScheduleChange(schedule), ...(hasKeys ? { accessKeyId, secretAccessKey } : {}) };
  const save = async (): Promise<void> => {
    if (!(await submission.run(async () => (await client.backupTargets()).set(name, change)))) return;
    announce(texts.targetSaved(name));
    onChanged();
  };
  const present = { every: texts.interval(place.everyMs), keep: String(place.keep) };
  return (
    <Form onSubmit={save}>
      <TargetSchedule schedule={schedule} present={present} onChange={setSchedule} />
      {isStore ? <KeyFields keys={keys} onChange={setKeys} /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={Object.keys(change).length === 0}>
          {texts.saveTarget(name)}
        </Button>
        <Button kind="quiet" onClick={onChanged}>
          {designTexts.cancel}
        </Button>
      </div>
    </Form>
  );
};
