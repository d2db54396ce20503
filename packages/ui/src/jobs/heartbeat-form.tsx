/** The heartbeat settings of an agent: interval, active hours and budget. */
import type { AgentRecord } from "@hearth/protocol";
import { Checkbox, Field, TextInput } from "../design/field.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { ZoneField } from "../models/zone-field.tsx";
import { RecordFields } from "../settings/form/section.tsx";
import { type RecordForm, useRecordForm } from "../settings/form/use-record-form.ts";
import { checkHeartbeat, fieldsOf, type HeartbeatFields, toHeartbeatPatch } from "./heartbeat-draft.ts";
import { RoomField } from "./room-field.tsx";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

export interface HeartbeatFormProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const HeartbeatForm = ({ agent, onChange }: HeartbeatFormProps) => {
  const { client } = useUi();
  const savedFields = fieldsOf(agent.content);
  const form = useRecordForm<HeartbeatFields>({
    name: `form:heartbeat:${agent.id}`,
    saved: savedFields,
    check: checkHeartbeat,
    async save(changes) {
      onChange(await client.agents.update(agent.id, { content: toHeartbeatPatch(savedFields, changes) }));
    },
  });
  return (
    <RecordFields form={form}>
      <Checkbox
        label={texts.checkInRegularly}
        detail={texts.checkInRegularlyDetail}
        checked={form.values.isOn === "yes"}
        onChange={({ target }) => form.set("isOn", target.checked ? "yes" : "")}
      />
      {form.values.isOn === "" ? undefined : <EnabledFields form={form} />}
    </RecordFields>
  );
};

const EnabledFields = ({ form }: { readonly form: RecordForm<HeartbeatFields> }) => {
  const { house, rooms } = useHouse();
  const { values, set, errorOf } = form;
  const renderTextField = (
    name: "every" | "from" | "to" | "money" | "tokens",
    label: string,
    options: TextOptions = {},
  ) => (
    <Field label={label} error={errorOf(name)} {...(options.hint === undefined ? {} : { hint: options.hint })}>
      {(ids) => (
        <TextInput
          {...ids}
          value={values[name]}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          placeholder={options.placeholder}
          inputMode={options.inputMode}
          onChange={({ target }) => set(name, target.value)}
        />
      )}
    </Field>
  );
  return (
    <>
      {renderTextField("every", texts.interval, { hint: texts.intervalHint })}
      <fieldset className={styles.fields}>
        <legend>{texts.activeHours}</legend>
        <div className={styles.pair}>
          {renderTextField("from", texts.from, { placeholder: "08:00" })}
          {renderTextField("to", texts.until, { placeholder: "22:00" })}
        </div>
        <ZoneField
          label={texts.agentTimeZone}
          hint={texts.agentTimeZoneHint(house?.content.timezone ?? "")}
          value={values.timezone}
          error={errorOf("timezone")}
          onChange={(zone) => set("timezone", zone)}
        />
      </fieldset>
      <fieldset className={styles.fields}>
        <legend>{texts.dailyBudget}</legend>
        <div className={styles.pair}>
          {renderTextField("money", texts.usDollars, { placeholder: texts.noSeparateLimit, inputMode: "decimal" })}
          {renderTextField("tokens", texts.tokens, { placeholder: texts.noSeparateLimit, inputMode: "numeric" })}
        </div>
      </fieldset>
      <RoomField
        label={texts.reportTo}
        value={values.room}
        rooms={rooms.map(({ room }) => room)}
        onChange={(room) => set("room", room)}
      />
      <Checkbox
        label={texts.alwaysCheck}
        detail={texts.alwaysCheckDetail}
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
