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
  const [saved, setSaved] = useState(settings);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const changed = fields.filter(({ key }) => typed[key] !== undefined && typed[key].trim() !== textIn(saved, key));
  const save = async (): Promise<void> => {
    const values = Object.fromEntries(changed.map(({ key }) => [key, valueOf(key, typed[key]?.trim() ?? "")]));
    if (!(await submission.run(async () => setSaved(await (await client.settings()).edit({ values }))))) return;
    setTyped({});
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
              value={typed[key] ?? textIn(saved, key)}
              maxLength={1000}
              placeholder={String(saved.find((one) => one.key === key)?.default ?? "")}
              onChange={({ target }) => setTyped({ ...typed, [key]: target.value })}
            />
          )}
        </Field>
      ))}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={changed.length === 0}>
          {texts.saveSchedule}
        </Button>
      </div>
    </Form>
  );
};

const textIn = (settings: readonly Setting[], key: string): string =>
  String(settings.find((one) => one.key === key)?.value ?? "");

/**
 * Converts the text of a field to the value of a setting. Null removes the setting. The house
 * refuses a text where it needs a number.
 */
const valueOf = (key: string, text: string): string | number | null => {
  if (text === "") return null;
  return key === "backup.keep" && /^\d+$/.test(text) ? Number(text) : text;
};
