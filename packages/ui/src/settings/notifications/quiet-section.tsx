/** The quiet hours of the current user: a start, an end, the days on which they begin, and a time zone. */
import type { QuietHours } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Checkbox, Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import type { NotificationsProps } from "./notifications-props.ts";
import * as texts from "./text.ts";

const ALL_DAYS = texts.dayNames.map((_name, index) => index + 1);

export const QuietSection = ({ state: { choices }, onChange }: NotificationsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const oldHours = choices.quiet;
  const [isOn, setOn] = useState(oldHours !== undefined);
  const [hours, setHours] = useState<QuietHours>(oldHours ?? createHours());
  const days = hours.days ?? ALL_DAYS;
  const set = (field: "from" | "to" | "timezone", text: string): void => setHours({ ...hours, [field]: text });
  const setDay = (day: number, isChosen: boolean): void =>
    setHours({ ...hours, days: ALL_DAYS.filter((item) => (item === day ? isChosen : days.includes(item))) });
  const save = async (): Promise<void> => {
    const quiet = isOn ? hours : null;
    const isDone = await submission.run(async () => onChange(await (await client.notifications()).change({ quiet })));
    if (isDone) announce(texts.quietHoursSaved);
  };
  return (
    <Section title={texts.quietHours} text={texts.quietHoursIntroduction}>
      <Form onSubmit={save}>
        <Checkbox label={texts.quietHoursToggle} checked={isOn} onChange={({ target }) => setOn(target.checked)} />
        {isOn ? (
          <>
            <Field label={texts.from}>
              {(ids) => (
                <TextInput
                  {...ids}
                  type="time"
                  value={hours.from}
                  onChange={({ target }) => set("from", target.value)}
                />
              )}
            </Field>
            <Field label={texts.to}>
              {(ids) => (
                <TextInput {...ids} type="time" value={hours.to} onChange={({ target }) => set("to", target.value)} />
              )}
            </Field>
            <Field label={texts.timezone} hint={texts.timezoneHint}>
              {(ids) => (
                <TextInput
                  {...ids}
                  value={hours.timezone}
                  maxLength={64}
                  onChange={({ target }) => set("timezone", target.value)}
                />
              )}
            </Field>
            <fieldset className={styles.days}>
              <legend>{texts.days}</legend>
              {texts.dayNames.map((name, index) => (
                <Checkbox
                  key={name}
                  label={name}
                  checked={days.includes(index + 1)}
                  onChange={({ target }) => setDay(index + 1, target.checked)}
                />
              ))}
            </fieldset>
          </>
        ) : undefined}
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
        <div className={styles.buttons}>
          <Button type="submit" isBusy={submission.isBusy} disabled={isOn ? days.length === 0 : oldHours === undefined}>
            {texts.saveQuietHours}
          </Button>
        </div>
      </Form>
    </Section>
  );
};

/** Returns the initial quiet hours: the night, in the browser's time zone. */
const createHours = (): QuietHours => ({
  from: "22:00",
  to: "07:00",
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});
