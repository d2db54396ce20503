/** Adds a target of backups: an S3-compatible store, an SSH server, or a mounted folder. */
import type { BackupState } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { emptyFields, isComplete, type TargetFields, targetKinds, toAddress } from "./target-address.ts";
import { emptySchedule, type Schedule, TargetSchedule, toScheduleChange } from "./target-schedule.tsx";
import * as texts from "./text.ts";

export interface AddTargetProps {
  readonly places: readonly BackupState[];
  readonly onAdded: () => void;
}

/** The section of the page, whose form opens on demand. */
export const AddTarget = ({ places, onAdded }: AddTargetProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.targets} text={texts.targetsIntroduction}>
      {isOpen ? (
        <TargetForm
          places={places}
          onAdded={() => {
            setOpen(false);
            onAdded();
          }}
        />
      ) : (
        <div className={styles.buttons}>
          <Button onClick={() => setOpen(true)}>{texts.newTarget}</Button>
        </div>
      )}
    </Section>
  );
};

const TargetForm = ({ places, onAdded }: AddTargetProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [fields, setFields] = useState<TargetFields>(emptyFields);
  const [keys, setKeys] = useState(NO_KEYS);
  const [schedule, setSchedule] = useState<Schedule>(emptySchedule);
  const isNameTaken = places.some(({ target }) => target === name.trim());
  const add = async (): Promise<void> => {
    const accessKeyId = keys.id.trim();
    const secretAccessKey = keys.secret.trim();
    const hasKeys = fields.kind === "s3" && (accessKeyId !== "" || secretAccessKey !== "");
    const isAdded = await submission.run(async () =>
      (await client.backupTargets()).set(name.trim(), {
        to: toAddress(fields),
        ...toScheduleChange(schedule),
        ...(hasKeys ? { accessKeyId, secretAccessKey } : {}),
      }),
    );
    if (!isAdded) return;
    announce(texts.targetAdded(name.trim()));
    onAdded();
  };
  const isReady = name.trim() !== "" && !isNameTaken && isComplete(fields);
  return (
    <Form onSubmit={add}>
      <Field label={texts.targetName} hint={texts.targetNameHint} error={isNameTaken ? texts.nameTaken : undefined}>
        {(ids) => <TextInput {...ids} value={name} maxLength={32} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Field label={texts.targetKind}>
        {(ids) => (
          <Select
            {...ids}
            value={fields.kind}
            onChange={({ target }) => {
              const kind = targetKinds.find((candidate) => candidate === target.value);
              if (kind !== undefined) setFields({ ...fields, kind });
            }}
          >
            {targetKinds.map((kind) => (
              <option key={kind} value={kind}>
                {texts.targetKinds[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <AddressFields fields={fields} onChange={setFields} />
      {fields.kind === "s3" ? <KeyFields keys={keys} onChange={setKeys} /> : undefined}
      <TargetSchedule schedule={schedule} onChange={setSchedule} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={!isReady}>
          {texts.addTarget}
        </Button>
      </div>
    </Form>
  );
};

interface AddressFieldsProps {
  readonly fields: TargetFields;
  readonly onChange: (fields: TargetFields) => void;
}

const AddressFields = ({ fields, onChange }: AddressFieldsProps) => (
  <>
    {texts.addressFields[fields.kind].map(({ name, label, hint }) => (
      <Field key={name} label={label} hint={hint}>
        {(ids) => (
          <TextInput
            {...ids}
            value={fields[name]}
            maxLength={500}
            onChange={({ target }) => onChange({ ...fields, [name]: target.value })}
          />
        )}
      </Field>
    ))}
  </>
);

export interface StoreKeys {
  readonly id: string;
  readonly secret: string;
}
export const NO_KEYS: StoreKeys = { id: "", secret: "" };

interface KeyFieldsProps {
  readonly keys: StoreKeys;
  readonly onChange: (keys: StoreKeys) => void;
}

export const KeyFields = ({ keys, onChange }: KeyFieldsProps) => (
  <>
    <Field label={texts.accessKeyId} hint={texts.keysHint}>
      {(ids) => (
        <TextInput
          {...ids}
          value={keys.id}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...keys, id: target.value })}
        />
      )}
    </Field>
    <Field label={texts.secretAccessKey}>
      {(ids) => (
        <TextInput
          {...ids}
          type="password"
          value={keys.secret}
          maxLength={500}
          autoComplete="new-password"
          onChange={({ target }) => onChange({ ...keys, secret: target.value })}
        />
      )}
    </Field>
  </>
);
