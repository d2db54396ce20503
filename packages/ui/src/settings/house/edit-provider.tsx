/** Changes the address and the retries of a provider. */
import type { EditProvider as Changes, ProviderInfo } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { titleOf } from "../../design/vendors.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toAddress } from "../../models/model-draft.ts";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface EditProviderProps {
  readonly provider: ProviderInfo;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const counts = [0, 1, 2, 3] as const;

export const EditProvider = ({ provider, onClose, onChanged }: EditProviderProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { name, baseUrl = "" } = provider;
  const [address, setAddress] = useState(baseUrl);
  const [retries, setRetries] = useState(String(provider.retries ?? ""));
  const [isWrong, setWrong] = useState(false);
  const save = async (): Promise<void> => {
    const newAddress = address.trim() === "" ? null : toAddress(address);
    setWrong(newAddress === undefined);
    if (newAddress === undefined) return;
    const changes: Changes = {
      ...(newAddress === (baseUrl === "" ? null : baseUrl) ? {} : { baseUrl: newAddress }),
      ...(retries === String(provider.retries ?? "") ? {} : { retries: retries === "" ? null : Number(retries) }),
    };
    if (Object.keys(changes).length > 0 && !(await submission.run(() => client.providers.edit(name, changes)))) return;
    announce(texts.providerChanged(titleOf(name)));
    onChanged();
    onClose();
  };
  return (
    <Form onSubmit={save}>
      <div className={styles.pair}>
        <AddressField
          value={address}
          isWrong={isWrong}
          onChange={(text) => {
            setWrong(false);
            submission.clear();
            setAddress(text);
          }}
        />
        <RetriesField value={retries} onChange={setRetries} />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.saveProvider}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
};

interface AddressFieldProps {
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

const AddressField = ({ value, isWrong, onChange }: AddressFieldProps) => (
  <Field
    label={texts.providerAddress}
    hint={texts.providerAddressHint}
    error={isWrong ? texts.wrongProviderAddress : undefined}
  >
    {(ids) => (
      <TextInput
        {...ids}
        inputMode="url"
        value={value}
        maxLength={500}
        placeholder={texts.addressOfVendor}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

interface RetriesFieldProps {
  /** The number of retries. Empty: the default. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const RetriesField = ({ value, onChange }: RetriesFieldProps) => (
  <Field label={texts.retries} hint={texts.retriesHint}>
    {(ids) => (
      <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{texts.byDefault}</option>
        {counts.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
