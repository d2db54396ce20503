/** The fields for the interval of a backup target and the number of backups that stay there. */
import type { SetBackupTarget } from "@hearth/protocol";
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface Schedule {
  readonly every: string;
  readonly keep: string;
}

export const emptySchedule: Schedule = { every: "", keep: "" };

/** Returns the filled fields. An empty one changes nothing. */
export const toScheduleChange = ({ every, keep }: Schedule): Pick<SetBackupTarget, "every" | "keep"> => ({
  ...(every.trim() === "" ? {} : { every: every.trim() }),
  ...(keep.trim() === "" ? {} : { keep: Number(keep.trim()) }),
});

export interface TargetScheduleProps {
  readonly schedule: Schedule;
  /** The meaning of an empty field. Absent: the value of the backup folder. */
  readonly currentSchedule?: Schedule;
  readonly onChange: (schedule: Schedule) => void;
}

export const TargetSchedule = ({ schedule, currentSchedule, onChange }: TargetScheduleProps) => (
  <>
    <Field
      label={texts.backupInterval}
      hint={currentSchedule === undefined ? texts.targetEveryHint : texts.backupIntervalHint}
    >
      {(ids) => (
        <TextInput
          {...ids}
          value={schedule.every}
          maxLength={20}
          placeholder={currentSchedule?.every}
          onChange={({ target }) => onChange({ ...schedule, every: target.value })}
        />
      )}
    </Field>
    <Field label={texts.backupsToKeep} hint={texts.backupsToKeepHint}>
      {(ids) => (
        <TextInput
          {...ids}
          value={schedule.keep}
          maxLength={5}
          inputMode="numeric"
          placeholder={currentSchedule?.keep}
          onChange={({ target }) => onChange({ ...schedule, keep: target.value.replaceAll(/\D/g, "") })}
        />
      )}
    </Field>
  </>
);
