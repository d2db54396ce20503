/** Optional fields of a job: room, context, time zone, end date and missed runs. */
import { CatchUp, JobContext, type RoomRecord } from "@hearth/protocol";
import { Field, Select, TextInput } from "../design/field.tsx";
import type { JobDraft } from "./job-draft.ts";
import styles from "./jobs.module.css";
import { RoomField } from "./room-field.tsx";

const contextWords: Readonly<Record<JobContext, string>> = {
  isolated: "The prompt only",
  main: "The prompt and the messages in the room",
};
const catchUpWords: Readonly<Record<CatchUp, string>> = {
  once: "Run the last one",
  all: "Run each of them",
  skip: "Skip them",
};

export interface MoreFieldsProps {
  readonly draft: JobDraft;
  readonly rooms: readonly RoomRecord[];
  readonly errors: Readonly<Record<"zone" | "until", string | undefined>>;
  readonly set: (change: Partial<JobDraft>) => void;
}

export const MoreFields = ({ draft, rooms, errors, set }: MoreFieldsProps) => (
  <details className={styles.more}>
    <summary>More options</summary>
    <div className={styles.form}>
      <RoomField label="Room" value={draft.room} rooms={rooms} onChange={(room) => set({ room })} />
      <Field label="Context">
        {(ids) => (
          <Select
            {...ids}
            value={draft.context}
            onChange={({ target }) =>
              set({ context: JobContext.options.find((one) => one === target.value) ?? "isolated" })
            }
          >
            {JobContext.options.map((one) => (
              <option key={one} value={one}>
                {contextWords[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Missed runs">
        {(ids) => (
          <Select
            {...ids}
            value={draft.catchUp}
            onChange={({ target }) => set({ catchUp: CatchUp.options.find((one) => one === target.value) ?? "once" })}
          >
            {CatchUp.options.map((one) => (
              <option key={one} value={one}>
                {catchUpWords[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Time zone (optional)"
        hint="For example Europe/Berlin. Default: the time zone of the agent, or of the house."
        error={errors.zone}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.zone}
            maxLength={200}
            onChange={({ target }) => set({ zone: target.value })}
          />
        )}
      </Field>
      <Field label="End date (optional)" hint="For example 2026-12-31." error={errors.until}>
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
