/** Creates an API key: name, owner, access, places, rights, rate limit and lifetime. */
import { AgentId, type AgentRecord, type CreatedKey } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { AccessFields } from "./access-fields.tsx";
import { emptyDraft, errorsOf, type KeyDraft, scopeOf } from "./key-draft.ts";
import { NewKey } from "./new-key.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface MakeKeyProps {
  readonly me: AgentRecord;
  /** Possible owners of the key. */
  readonly agents: readonly AgentRecord[];
  readonly onCreated: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { days: 0, title: texts.noExpiration },
  { days: 7, title: texts.oneWeek },
  { days: 30, title: texts.thirtyDays },
  { days: 90, title: texts.ninetyDays },
  { days: 365, title: texts.oneYear },
] as const;

export const MakeKey = ({ me, agents, onCreated }: MakeKeyProps) => {
  const [isOpen, setOpen] = useState(false);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  const showKey = (key: CreatedKey): void => {
    setCreatedKey(key);
    setOpen(false);
    onCreated();
  };
  return (
    <>
      {createdKey === undefined ? undefined : <NewKey newKey={createdKey} onClose={() => setCreatedKey(undefined)} />}
      {isOpen ? (
        <KeyForm me={me} agents={agents} onCreated={showKey} onCancel={() => setOpen(false)} />
      ) : (
        <div className={styles.buttons}>
          <Button icon="plus" onClick={() => setOpen(true)}>
            {texts.newApiKey}
          </Button>
        </div>
      )}
    </>
  );
};

interface KeyFormProps {
  readonly me: AgentRecord;
  readonly agents: readonly AgentRecord[];
  readonly onCreated: (key: CreatedKey) => void;
  readonly onCancel: () => void;
}

const KeyForm = ({ me, agents, onCreated, onCancel }: KeyFormProps) => {
  const { client, clock } = useUi();
  const submission = useSubmission();
  const [draft, setDraft] = useState(emptyDraft);
  const [isChecked, setChecked] = useState(false);
  const [ownerId, setOwnerId] = useState<string>();
  const owner = agents.find(({ id }) => id === (ownerId ?? me.id)) ?? agents[0] ?? me;
  const errors = isChecked ? errorsOf(draft) : {};
  const change = (changes: Partial<KeyDraft>): void => setDraft((previousDraft) => ({ ...previousDraft, ...changes }));
  const createKey = async (): Promise<void> => {
    setChecked(true);
    if (Object.keys(errorsOf(draft)).length > 0) return;
    const scope = scopeOf(draft);
    await submission.run(async () =>
      onCreated(
        await client.keys.create({
          name: draft.name.trim(),
          agent: AgentId.parse(owner.id),
          ...(scope === undefined ? {} : { scope }),
          ...(draft.days === 0 ? {} : { expiresAt: clock.now() + draft.days * DAY_MS }),
        }),
      ),
    );
  };
  return (
    <Form onSubmit={createKey}>
      <Field label={texts.nameOfNewKey} hint={texts.nameOfNewKeyHint} error={errors.name}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.name}
            maxLength={100}
            autoComplete="off"
            autoFocus
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      {agents.length < 2 ? undefined : <OwnerField me={me} agents={agents} value={owner.id} onChange={setOwnerId} />}
      <AccessFields draft={draft} owner={owner} placesError={errors.places} onChange={change} />
      <div className={styles.pair}>
        <Field label={texts.requestsPerMinute} error={errors.perMinute}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              value={draft.perMinute}
              maxLength={10}
              autoComplete="off"
              placeholder={texts.noLimit}
              onChange={({ target }) => change({ perMinute: target.value })}
            />
          )}
        </Field>
        <ExpirationField value={draft.days} onChange={(days) => change({ days })} />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.createApiKey}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};

interface OwnerFieldProps {
  readonly me: AgentRecord;
  readonly agents: readonly AgentRecord[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The owner of the key. Requests with the key act as this person or agent. */
const OwnerField = ({ me, agents, value, onChange }: OwnerFieldProps) => (
  <Field label={texts.actsAs}>
    {(ids) => (
      <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
        {agents.map(({ id, content }) => (
          <option key={id} value={id}>
            {toVisible(content.name)}
            {id === me.id ? texts.youSuffix : ""}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

interface ExpirationFieldProps {
  readonly value: number;
  readonly onChange: (days: number) => void;
}

/** The lifetime of the key in days. 0: the key does not expire. */
const ExpirationField = ({ value, onChange }: ExpirationFieldProps) => (
  <Field label={texts.expiration}>
    {(ids) => (
      <Select {...ids} value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {lifetimes.map((lifetime) => (
          <option key={lifetime.days} value={lifetime.days}>
            {lifetime.title}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
