/** A form for several numbers of the house's settings, which are saved together. */
import type { Setting } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface LimitGroupProps {
  readonly title: string;
  readonly text?: string;
  /** The label of each setting, by its key. */
  readonly labels: Readonly<Record<string, string>>;
  readonly settings: readonly Setting[];
  readonly onSaved: (settings: readonly Setting[]) => void;
}

export const LimitGroup = ({ title, text, labels, settings, onSaved }: LimitGroupProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useSubmission();
  /** Unsaved texts by the key of their setting. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const shown = settings.filter(({ key }) => Object.hasOwn(labels, key));
  const changed = shown.filter((setting) => typed[setting.key] !== undefined && typed[setting.key] !== textOf(setting));
  const isWrong = changed.some(({ key }) => toNumber(typed[key]) === undefined);
  const save = async (): Promise<void> => {
    const values = Object.fromEntries(changed.map(({ key }) => [key, toNumber(typed[key]) ?? null]));
    const isSaved = await work.run(async () => onSaved(await (await client.settings()).edit({ values })));
    if (!isSaved) return;
    setTyped({});
    announce(changed.every(({ appliesNow }) => appliesNow) ? texts.saved(title) : texts.savedForRestart(title));
  };
  return (
    <Section title={title} text={text}>
      <Form onSubmit={save}>
        <div className={styles.pair}>
          {shown.map((setting) => {
            const value = typed[setting.key] ?? textOf(setting);
            return (
              <Field
                key={setting.key}
                label={labels[setting.key] ?? setting.key}
                error={toNumber(value) === undefined ? texts.notANumber : undefined}
              >
                {(ids) => (
                  <TextInput
                    {...ids}
                    inputMode="decimal"
                    value={value}
                    maxLength={20}
                    placeholder={setting.default === undefined ? texts.noLimit : String(setting.default)}
                    onChange={(event) => setTyped({ ...typed, [setting.key]: event.target.value })}
                  />
                )}
              </Field>
            );
          })}
        </div>
        {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
        <div className={styles.buttons}>
          <Button
            type="submit"
            isBusy={work.isBusy}
            disabled={changed.length === 0 || isWrong}
            aria-label={texts.saveGroup(title)}
          >
            {texts.save}
          </Button>
        </div>
      </Form>
    </Section>
  );
};

const textOf = ({ value }: Setting): string => (value === undefined ? "" : String(value));

/** Parses a field: null for an empty text, undefined for a text that is not a number. */
const toNumber = (text = ""): number | null | undefined => {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
};
