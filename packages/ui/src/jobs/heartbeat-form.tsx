/** How often an agent looks by itself, at which hours, and what that may cost. */
import type { AgentRecord } from "@hearth/protocol";
import { Checkbox, Field, TextInput } from "../design/field.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { ZoneField } from "../models/zone-field.tsx";
import { RecordFields } from "../settings/section.tsx";
import { type RecordForm, useRecordForm } from "../settings/use-record-form.ts";
import { checkHeartbeat, fieldsOf, type HeartbeatFields, heartbeatPatch } from "./heartbeat-draft.ts";
import { RoomField } from "./room-field.tsx";
import styles from "./jobs.module.css";

export interface HeartbeatFormProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const HeartbeatForm = ({ agent, onChange }: HeartbeatFormProps) => {
  const { client } = useUi();
  const saved = fieldsOf(agent.content);
  const form = useRecordForm<HeartbeatFields>({
    name: `form:heartbeat:${agent.id}`,
    saved,
    check: checkHeartbeat,
    async save(changes) {
      onChange(await client.agents.update(agent.id, { content: heartbeatPatch(saved, changes) }));
    },
  });
  return (
    <RecordFields form={form}>
      <Checkbox
        label="It looks by itself, again and again"
        detail="When something is new it reads its list, and speaks only where there is something to say."
        checked={form.values.isOn === "yes"}
        onChange={({ target }) => form.set("isOn", target.checked ? "yes" : "")}
      />
      {form.values.isOn === "" ? undefined : <WhenOn form={form} />}
    </RecordFields>
  );
};

const WhenOn = ({ form }: { readonly form: RecordForm<HeartbeatFields> }) => {
  const { house, rooms } = useHouse();
  const { values, set, errorOf } = form;
  const text = (name: "every" | "from" | "to" | "money" | "tokens", label: string, more: TextOptions = {}) => (
    <Field label={label} error={errorOf(name)} {...(more.hint === undefined ? {} : { hint: more.hint })}>
      {(ids) => (
        <TextInput
          {...ids}
          value={values[name]}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          placeholder={more.placeholder}
          inputMode={more.inputMode}
          onChange={({ target }) => set(name, target.value)}
        />
      )}
    </Field>
  );
  return (
    <>
      {text("every", "How often", { hint: "Such as 30m, 2h or 1d." })}
      <fieldset className={styles.fields}>
        <legend>At which hours it may look (optional)</legend>
        <div className={styles.pair}>
          {text("from", "From", { placeholder: "08:00" })}
          {text("to", "Until", { placeholder: "22:00" })}
        </div>
        <ZoneField
          label="Time zone of the agent"
          hint={`Its jobs keep to it as well. Left empty, it is that of the house: ${house?.content.timezone ?? ""}.`}
          value={values.timezone}
          error={errorOf("timezone")}
          onChange={(zone) => set("timezone", zone)}
        />
      </fieldset>
      <fieldset className={styles.fields}>
        <legend>What its looks may cost in a day (optional)</legend>
        <div className={styles.pair}>
          {text("money", "US dollars", { placeholder: "As much as the agent", inputMode: "decimal" })}
          {text("tokens", "Tokens", { placeholder: "As much as the agent", inputMode: "numeric" })}
        </div>
      </fieldset>
      <RoomField
        label="Where it says what there is to say"
        value={values.room}
        rooms={rooms.map(({ room }) => room)}
        onChange={(room) => set("room", room)}
      />
      <Checkbox
        label="Also look when nothing is new"
        detail="For a list about the time, or about what is outside of this house. Each look asks a model then."
        checked={values.always === "yes"}
        onChange={({ target }) => set("always", target.checked ? "yes" : "")}
      />
    </>
  );
};

interface TextOptions {
  readonly hint?: string;
  readonly placeholder?: string;
  readonly inputMode?: "decimal" | "numeric";
}
