/** Changes the schedule and the keys of a backup target. */
import type { BackupState } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import * as designTexts from "../../design/text.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { KeyFields, NO_KEYS } from "./add-target.tsx";
import { emptySchedule, TargetSchedule, toScheduleChange } from "./target-schedule.tsx";
import * as texts from "./text.ts";

export interface ChangeTargetProps {
  readonly place: BackupState;
  readonly name: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export const ChangeTarget = ({ place: target, name, onClose, onSaved }: ChangeTargetProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [schedule, setSchedule] = useState(emptySchedule);
  const [keys, setKeys] = useState(NO_KEYS);
  const isStore = target.to.startsWith("s3:");
  const accessKeyId = keys.id.trim();
  const secretAccessKey = keys.secret.trim();
  const hasKeys = isStore && (accessKeyId !== "" || secretAccessKey !== "");
  const change = { ...toScheduleChange(schedule), ...(hasKeys ? { accessKeyId, secretAccessKey } : {}) };
  const save = async (): Promise<void> => {
    if (!(await submission.run(async () => (await client.backupTargets()).set(name, change)))) return;
    announce(texts.targetSaved(name));
    onSaved();
  };
  const currentSchedule = { every: texts.interval(target.everyMs), keep: String(target.keep) };
  return (
    <Form onSubmit={save}>
      <TargetSchedule schedule={schedule} currentSchedule={currentSchedule} onChange={setSchedule} />
      {isStore ? <KeyFields keys={keys} onChange={setKeys} /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy} disabled={Object.keys(change).length === 0}>
          {texts.saveTarget(name)}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {designTexts.cancel}
        </Button>
      </div>
    </Form>
  );
};
