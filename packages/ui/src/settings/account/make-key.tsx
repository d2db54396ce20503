/** Creates an API key: name, owner, role limit and lifetime. */
import { AgentId, type AgentRecord, type CreatedKey, type Level } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { NewKey } from "./new-key.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface MakeKeyProps {
  readonly me: AgentRecord;
  /** Possible owners of the key. */
  readonly agents: readonly AgentRecord[];
  readonly onMade: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { days: 0, title: texts.noExpiration },
  { days: 7, title: texts.oneWeek },
  { days: 30, title: texts.thirtyDays },
  { days: 365, title: texts.oneYear },
] as const;

export const MakeKey = ({ me, agents, onMade }: MakeKeyProps) => {
  const { client, clock } = useUi();
  const work = useSubmission();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [level, setLevel] = useState<Level | "">("");
  const [days, setDays] = useState(0);
  const [isNameless, setNameless] = useState(false);
  const [made, setMade] = useState<CreatedKey>();
  const agent = chosen ?? agents.find(({ id }) => id === me.id)?.id ?? agents[0]?.id ?? me.id;
  const make = async (): Promise<void> => {
    setNameless(name.trim() === "");
    if (name.trim() === "") return;
    await work.run(async () => {
      setMade(
        await client.keys.create({
          name: name.trim(),
          agent: AgentId.parse(agent),
          ...(level === "" ? {} : { scope: { level } }),
          ...(days === 0 ? {} : { expiresAt: clock.now() + days * DAY_MS }),
        }),
      );
      setName("");
      onMade();
    });
  };
  return (
    <>
      {made === undefined ? undefined : <NewKey made={made} onClose={() => setMade(undefined)} />}
      <Form onSubmit={make}>
        <Field
          label={texts.nameOfNewKey}
          hint={texts.nameOfNewKeyHint}
          error={isNameless ? texts.enterAName : undefined}
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => {
                setNameless(false);
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        {agents.length < 2 ? undefined : <OwnerField me={me} agents={agents} value={agent} onChange={setChosen} />}
        <div className={styles.pair}>
          <RoleField owner={agents.find(({ id }) => id === agent)} value={level} onChange={setLevel} />
          <ExpirationField value={days} onChange={setDays} />
        </div>
        {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
        <div className={styles.buttons}>
          <Button type="submit" isBusy={work.isBusy}>
            {texts.createApiKey}
          </Button>
        </div>
      </Form>
    </>
  );
};

interface FieldProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The owner of the key. Requests with the key act as this person or agent. */
const OwnerField = ({ me, agents, value, onChange }: Omit<MakeKeyProps, "onMade"> & FieldProps<string>) => (
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

/** The highest role of the key. An empty value selects the role of its owner. */
const RoleField = ({
  owner,
  value,
  onChange,
}: { readonly owner: AgentRecord | undefined } & FieldProps<Level | "">) => (
  <Field label={texts.role}>
    {(ids) => (
      <Select {...ids} value={value} onChange={(event) => onChange(event.target.value as Level | "")}>
        <option value="">
          {owner === undefined ? texts.sameAsOwner : texts.sameAs(toVisible(owner.content.name))}
        </option>
        <option value="w">{texts.atMostMember}</option>
        <option value="r">{texts.atMostViewer}</option>
      </Select>
    )}
  </Field>
);

/** The lifetime of the key in days. 0: the key does not expire. */
const ExpirationField = ({ value, onChange }: FieldProps<number>) => (
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
