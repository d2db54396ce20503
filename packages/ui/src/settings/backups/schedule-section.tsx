/** The settings of the backup folder: its path, the interval, and the number of backups to keep. */
import type { Setting } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const fields = [
  { key: "backup.to", label: texts.folderPath, hint: texts.folderPathHint },
  { key: "backup.every", label: texts.backupInterval, hint: texts.backupIntervalHint },
  { key: "backup.keep", label: texts.backupsToKeep, hint: texts.backupsToKeepHint },
] as const;

interface ScheduleProps {
  readonly onSaved: () => void;
}

export const ScheduleSection = ({ onSaved }: ScheduleProps) => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.settings()).list(), [client]));
  return (
    <Section title={texts.schedule} text={texts.scheduleIntroduction}>
      <RequestView request={request}>
        {(settings) => <ScheduleForm settings={settings} onSaved={onSaved} />}
      </RequestView>
    </Section>
  );
};

const ScheduleForm = ({ settings, onSaved }: ScheduleProps & { readonly settings: readonly Setting[] }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [savedSettings, setSavedSettings] = useState(settings);
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const changedFields = fields.filter(
    ({ key }) => edits[key] !== undefined && edits[key].trim() !== textIn(savedSettings, key),
  );
  const save = async (): Promise<void> => {
    const values = Object.fromEntries(changedFields.map(({ key }) => [key, valueOf(key, edits[key]?.trim() ?? "")]));
    if (!(await submission.run(async () => setSavedSettings(await (await client.settings()).edit({ values }))))) return;
    setEdits({});
    announce(texts.scheduleSaved);
    onSaved();
  };
  return (
    <Form onSubmit={save}>
      {fields.map(({ key, label, hint }) => (
        <Field key={key} label={label} hint={hint}>
          {(ids) => (
            <TextInput
              {...ids}
              value={edits[key] ?? textIn(savedSettings, key)}
              maxLength={1000}
              placeholder={String(savedSettings.find((setting) => setting.key === key)?.default ?? "")}
              onChange={({ target }) => setEdits({ ...edits, [key]: target.value })}
            />
          )}
        </Field>
      ))}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={changedFields.length === 0}>
          {texts.saveSchedule}
        </Button>
      </div>
    </Form>
  );
};

const textIn = (settings: readonly Setting[], key: string): string =>
  String(settings.find((setting) => setting.key === key)?.value ?? "");

/**
 * Converts the text of a field to the value of a setting. Null removes the setting. The house
 * refuses a text where it needs a number.
 */
const valueOf = (key: string, text: string): string | number | null => {
  if (text === "") return null;
  return key === "backup.keep" && /^\d+$/.test(text) ? Number(text) : text;
};
