/** Optional fields of a job: room, context, time zone, end date and missed runs. */
import { CatchUp, JobContext, type RoomRecord } from "@hearth/protocol";
import { Field, Select, TextInput } from "../design/field.tsx";
import type { JobDraft } from "./job-draft.ts";
import styles from "./jobs.module.css";
import { RoomField } from "./room-field.tsx";
import * as texts from "./text.ts";

const contextWords: Readonly<Record<JobContext, string>> = {
  isolated: texts.thePromptOnly,
  main: texts.promptAndMessages,
};
const catchUpWords: Readonly<Record<CatchUp, string>> = {
  once: texts.runTheLastOne,
  all: texts.runEachOfThem,
  skip: texts.skipThem,
};

export interface MoreFieldsProps {
  readonly draft: JobDraft;
  readonly rooms: readonly RoomRecord[];
  readonly errors: Readonly<Record<"zone" | "until", string | undefined>>;
  readonly set: (change: Partial<JobDraft>) => void;
}

export const MoreFields = ({ draft, rooms, errors, set }: MoreFieldsProps) => (
  <details className={styles.more}>
    <summary>{texts.moreOptions}</summary>
    <div className={styles.form}>
      <RoomField label={texts.room} value={draft.room} rooms={rooms} onChange={(room) => set({ room })} />
      <Field label={texts.context}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.context}
            onChange={({ target }) =>
              set({ context: JobContext.options.find((option) => option === target.value) ?? "isolated" })
            }
          >
            {JobContext.options.map((choice) => (
              <option key={choice} value={choice}>
                {contextWords[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={texts.missedRuns}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.catchUp}
            onChange={({ target }) =>
              set({ catchUp: CatchUp.options.find((option) => option === target.value) ?? "once" })
            }
          >
            {CatchUp.options.map((choice) => (
              <option key={choice} value={choice}>
                {catchUpWords[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={texts.timeZone} hint={texts.timeZoneHint} error={errors.zone}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.zone}
            maxLength={200}
            onChange={({ target }) => set({ zone: target.value })}
          />
        )}
      </Field>
      <Field label={texts.endDate} hint={texts.endDateHint} error={errors.until}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.until}
            maxLength={200}
            onChange={({ target }) => set({ until: target.value })}
          />
        )}
      </Field>
    </div>
  </details>
);
