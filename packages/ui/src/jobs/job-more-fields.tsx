/** What few jobs need: where, with how much of the talk, in whose times, for how long, and what becomes of times that passed. */
import { CatchUp, JobContext, type RoomRecord } from "@hearth/protocol";
import { Field, Select, TextInput } from "../design/field.tsx";
import type { JobDraft } from "./job-draft.ts";
import styles from "./jobs.module.css";
import { RoomField } from "./room-field.tsx";

const contextWords: Readonly<Record<JobContext, string>> = {
  isolated: "What it should do, and nothing else",
  main: "Also what was said in the room",
};
const catchUpWords: Readonly<Record<CatchUp, string>> = {
  once: "Do the last one",
  all: "Do each",
  skip: "Let them go",
};

export interface MoreFieldsProps {
  readonly draft: JobDraft;
  readonly rooms: readonly RoomRecord[];
  readonly errors: Readonly<Record<"zone" | "until", string | undefined>>;
  readonly set: (change: Partial<JobDraft>) => void;
}

export const MoreFields = ({ draft, rooms, errors, set }: MoreFieldsProps) => (
  <details className={styles.more}>
    <summary>More</summary>
    <div className={styles.form}>
      <RoomField label="Where" value={draft.room} rooms={rooms} onChange={(room) => set({ room })} />
      <Field label="It reads">
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
      <Field label="Times that passed while nobody was there">
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
        hint="Such as Europe/Berlin. Else the agent's, or the house's."
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
      <Field label="Last due (optional)" hint="Such as 2026-12-31." error={errors.until}>
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
