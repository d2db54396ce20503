/** Groups of settings of the config file. Each group is a section whose fields are saved together. */
import type { Setting } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useAttention } from "../../house/attention.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import { SettingControl } from "./setting-control.tsx";
import { planSettings, type SettingGroup, type SettingTexts, toText } from "./setting-draft.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SettingGroups = ({ groups }: { readonly groups: readonly SettingGroup[] }) => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.settings()).list(), [client]));
  useAttention(request.reload);
  /** The settings after a change, which are newer than the loaded ones until those are loaded again. */
  const [edit, setEdit] = useState<{ readonly loaded: readonly Setting[]; readonly saved: readonly Setting[] }>();
  return (
    <RequestView request={request}>
      {(settings) =>
        groups.map((group) => (
          <GroupSection
            key={group.title}
            group={group}
            settings={edit?.loaded === settings ? edit.saved : settings}
            onSaved={(newSettings) => setEdit({ loaded: settings, saved: newSettings })}
          />
        ))
      }
    </RequestView>
  );
};

export interface GroupSectionProps {
  readonly group: SettingGroup;
  readonly settings: readonly Setting[];
  readonly onSaved: (settings: readonly Setting[]) => void;
}

export const GroupSection = ({ group, settings, onSaved }: GroupSectionProps) => {
  const { title, text, fields, applies } = group;
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  /** Unsaved texts by the key of their setting. */
  const [unsavedTexts, setUnsavedTexts] = useState<SettingTexts>({});
  const { values, invalidKeys } = planSettings(group, settings, unsavedTexts);
  const keys = Object.keys(values);
  const rows = fields.flatMap((field) => {
    const setting = settings.find(({ key }) => key === field.key);
    return setting === undefined ? [] : [{ field, setting, value: unsavedTexts[field.key] ?? toText(field, setting) }];
  });
  const valueOf = (key: string): string => rows.find(({ field }) => field.key === key)?.value ?? "";
  const save = async (): Promise<void> => {
    const isSaved = await submission.run(async () => onSaved(await (await client.settings()).edit({ values })));
    if (!isSaved) return;
    setUnsavedTexts({});
    const isRestartNeeded = settings.some(({ key, appliesNow }) => keys.includes(key) && !appliesNow);
    announce(isRestartNeeded ? texts.savedForRestart(title) : texts.saved(title));
  };
  return (
    <Section title={title} text={text}>
      <Form onSubmit={save}>
        <div className={styles.pair}>
          {rows
            .filter(({ field: { key } }) => applies?.(key, valueOf) ?? true)
            .map(({ field, setting, value }) => (
              <SettingControl
                key={field.key}
                field={field}
                setting={setting}
                text={value}
                isWrong={invalidKeys.has(field.key)}
                onChange={(newText) => {
                  setUnsavedTexts({ ...unsavedTexts, [field.key]: newText });
                  submission.clear();
                }}
              />
            ))}
        </div>
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
        <div className={styles.buttons}>
          <Button
            type="submit"
            isBusy={submission.isBusy}
            disabled={keys.length === 0 || invalidKeys.size > 0}
            aria-label={texts.saveGroup(title)}
          >
            {texts.save}
          </Button>
        </div>
      </Form>
    </Section>
  );
};
