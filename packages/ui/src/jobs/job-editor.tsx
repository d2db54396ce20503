/** Creates or edits a job, with a preview of its next times before it is saved. */
import { observe } from "@hearth/client";
import { type AgentRecord, isHearthError, type Job, MAX_JOB_PROMPT } from "@hearth/protocol";
import { useId, useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { plainWords } from "../design/error-words.ts";
import { Field, Select, TextArea, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { toVisible } from "../text/visible.tsx";
import {
  checkDraft,
  draftOf,
  fieldOfRefusal,
  type JobDraft,
  NEW_DRAFT,
  previewOf,
  timings,
  toAddJob,
  toPatchJob,
} from "./job-draft.ts";
import { MoreFields } from "./job-more-fields.tsx";
import { formatSlotTime } from "./job-words.ts";
import styles from "./jobs.module.css";
import { zoneOf } from "./zone-of.ts";
import { type Preview, usePreview } from "./use-preview.ts";
import * as texts from "./text.ts";

const timingWords: Readonly<Record<JobDraft["timing"], { readonly title: string; readonly hint: string }>> = {
  when: { title: texts.inWords, hint: texts.inWordsHint },
  cron: { title: texts.cron, hint: texts.cronHint },
  every: { title: texts.interval, hint: texts.everyHint },
  once: { title: texts.once, hint: texts.onceHint },
};

export interface JobEditorProps {
  readonly agent: AgentRecord;
  /** The job to edit. Undefined creates a job. */
  readonly job: Job | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: (job: Job) => void;
}

export const JobEditor = ({ agent, job, isOpen, onClose, onSaved }: JobEditorProps) => {
  const { client } = useUi();
  const { rooms, house } = useHouse();
  const form = useId();
  const submission = useSubmission();
  const savedDraft = job === undefined ? NEW_DRAFT : draftOf(job, zoneOf(agent, house));
  const [editedDraft, setEditedDraft] = useState<JobDraft>();
  const [isChecked, setChecked] = useState(false);
  const draft = editedDraft ?? savedDraft;
  const set = (change: Partial<JobDraft>): void => setEditedDraft({ ...draft, ...change });
  const preview = usePreview(agent, isOpen ? previewOf(draft) : undefined);
  const errors = isChecked ? checkDraft(draft) : {};
  const refusal = refusalIn(preview.error, draft);
  const close = (): void => {
    submission.clear();
    onClose();
  };
  const save = async (): Promise<void> => {
    setChecked(true);
    // The preview of the latest input may not have arrived. The house validates the input on saving too.
    if (Object.keys(checkDraft(draft)).length > 0 || preview.error !== undefined) return;
    await submission.run(async () => {
      const jobs = await client.jobs();
      const savedJob =
        job === undefined
          ? await jobs.add(agent.id, toAddJob(draft))
          : await jobs.edit(agent.id, job.name, toPatchJob(draft, savedDraft));
      setEditedDraft(undefined);
      setChecked(false);
      onSaved(savedJob);
    });
  };
  return (
    <Dialog
      title={job === undefined ? texts.newJob(toVisible(agent.content.name)) : texts.editJob(job.name)}
      isOpen={isOpen}
      onClose={close}
      buttons={<Buttons form={form} isBusy={submission.isBusy} onCancel={close} />}
    >
      <form
        id={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          observe(save());
        }}
      >
        {job === undefined ? <NameField draft={draft} set={set} error={errors.name} /> : undefined}
        <PromptField draft={draft} set={set} error={errors.prompt} />
        <TimingField draft={draft} savedDraft={savedDraft} set={set} />
        <TimeField draft={draft} set={set} error={errors.time ?? refusal?.time} />
        <SchedulePreview preview={preview} />
        <MoreFields
          draft={draft}
          rooms={rooms.map(({ room }) => room)}
          errors={{ zone: refusal?.zone, until: refusal?.until }}
          set={set}
        />
        {refusal === undefined && preview.error !== undefined ? <ErrorNotice error={preview.error} /> : undefined}
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      </form>
    </Dialog>
  );
};

interface ButtonsProps {
  readonly form: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

const Buttons = ({ form, isBusy, onCancel }: ButtonsProps) => (
  <>
    <Button onClick={onCancel}>{texts.cancel}</Button>
    <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
      {texts.save}
    </Button>
  </>
);

/** Returns the message of a refused time under its field, or undefined if the error is not about a time. */
const refusalIn = (error: unknown, draft: JobDraft): Partial<Record<"time" | "zone" | "until", string>> | undefined => {
  if (!isHearthError(error, "job.invalid")) return undefined;
  return { [fieldOfRefusal(error.message, draft)]: plainWords(error.message) };
};

interface FieldProps {
  readonly draft: JobDraft;
  readonly set: (change: Partial<JobDraft>) => void;
  readonly error: string | undefined;
}

const NameField = ({ draft, set, error }: FieldProps) => (
  <Field label={texts.optionalName} hint={texts.nameHint} error={error}>
    {(ids) => (
      <TextInput
        {...ids}
        value={draft.name}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => set({ name: target.value })}
      />
    )}
  </Field>
);

const PromptField = ({ draft, set, error }: FieldProps) => (
  <Field label={texts.prompt} error={error}>
    {(ids) => (
      <TextArea
        {...ids}
        className={styles.prompt}
        value={draft.prompt}
        maxLength={MAX_JOB_PROMPT}
        onChange={({ target }) => set({ prompt: target.value })}
      />
    )}
  </Field>
);

/**
 * Selects the way to enter the schedule. Selecting the way of the saved job, `savedDraft`, restores the
 * saved time.
 */
interface TimingFieldProps {
  readonly draft: JobDraft;
  /** The job as it was opened. */
  readonly savedDraft: JobDraft;
  readonly set: (change: Partial<JobDraft>) => void;
}

const TimingField = ({ draft, savedDraft, set }: TimingFieldProps) => (
  <Field label={texts.schedule}>
    {(ids) => (
      <Select
        {...ids}
        value={draft.timing}
        onChange={({ target }) => {
          const timing = timings.find((timing) => timing === target.value);
          if (timing !== undefined) set({ timing, time: timing === savedDraft.timing ? savedDraft.time : "" });
        }}
      >
        {timings.map((timing) => (
          <option key={timing} value={timing}>
            {timingWords[timing].title}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

const TimeField = ({ draft, set, error }: FieldProps) => {
  const { title, hint } = timingWords[draft.timing];
  return (
    <Field label={title} hint={hint} error={error}>
      {(ids) => (
        <TextInput
          {...ids}
          value={draft.time}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ time: target.value })}
        />
      )}
    </Field>
  );
};

/** The preview, in a live region so that screen readers announce it while the user types. */
const SchedulePreview = ({ preview: { value } }: { readonly preview: Preview }) => (
  <div role="status" className={styles.understood}>
    {value === undefined ? undefined : (
      <>
        <p>{texts.understoodSchedule(toVisible(value.understood))}</p>
        <p className={styles.quiet}>
          {value.next.length === 0 ? (
            texts.timeIsInThePast
          ) : (
            <>
              {texts.inYourTimeZone}{" "}
              {value.next.map((at, index) => (
                <span key={at}>
                  {index === 0 ? undefined : " · "}
                  <span className={styles.time}>{formatSlotTime(at)}</span>
                </span>
              ))}
            </>
          )}
        </p>
      </>
    )}
  </div>
);
