/** The secrets of a house: names and uses, never values. */
import { type AgentRecord, type HouseRecord, MIN_SECRET_SIZE, SECRET_NAME, type VaultStatus } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { SecretTable } from "./secret-table.tsx";
import { SecretValue } from "./secret-value.tsx";
import * as texts from "./text.ts";

export interface SecretsSectionProps {
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
}

export const SecretsSection = ({ house, bots }: SecretsSectionProps) => {
  const { client } = useUi();
  const { me } = useHouse();
  const canSeeVault = mayAdministerHome(me);
  const request = useRequest(
    useCallback(async () => {
      const calls = await client.secrets();
      const [secrets, vault] = await Promise.all([calls.list(house.id), canSeeVault ? calls.vault() : undefined]);
      return { secrets, vault };
    }, [client, house.id, canSeeVault]),
  );
  return (
    <Section title={texts.secrets} text={texts.secretsIntroduction}>
      <RequestView request={request}>
        {({ secrets, vault }) => (
          <>
            {vault?.state === "locked" ? <LockedVault vault={vault} /> : undefined}
            <SecretTable secrets={secrets} house={house} bots={bots} onChange={request.reload} />
          </>
        )}
      </RequestView>
      <AddSecret house={house} onAdded={request.reload} />
    </Section>
  );
};

const LockedVault = ({ vault }: { readonly vault: Extract<VaultStatus, { state: "locked" }> }) => (
  <Notice kind="danger" title={texts.vaultIsLocked}>
    {toVisible(vault.why)} {toVisible(vault.fix)}
  </Notice>
);

const AddSecret = ({ house, onAdded }: { readonly house: HouseRecord; readonly onAdded: () => void }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [invalidField, setInvalidField] = useState<"name" | "value">();
  const add = async (): Promise<void> => {
    const field = !SECRET_NAME.test(name.trim()) ? "name" : value.length < MIN_SECRET_SIZE ? "value" : undefined;
    setInvalidField(field);
    if (field !== undefined) return;
    const calls = client.secrets();
    if (!(await submission.run(async () => (await calls).set(house.id, { name: name.trim(), value })))) return;
    announce(texts.secretAdded(name.trim()));
    setName("");
    setValue("");
    onAdded();
  };
  return (
    <Form onSubmit={add}>
      <div className={styles.pair}>
        <Field
          label={texts.secretName}
          hint={texts.secretNameHint}
          error={invalidField === "name" ? texts.invalidName : undefined}
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <SecretValue
          label={texts.secretValue}
          hint={texts.valueHint}
          value={value}
          isTooShort={invalidField === "value"}
          onChange={setValue}
        />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={name.trim() === "" || value === ""}>
          {texts.addSecret}
        </Button>
      </div>
    </Form>
  );
};
