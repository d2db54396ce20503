/** Fields of a new provider: a vendor and its API key, or a server address. */
import type { ReactNode } from "react";
import { Field, Select, TextInput } from "../design/field.tsx";
import { Icon } from "../design/icon.tsx";
import type { ModelChoice } from "./model-choice.ts";
import { findProviderWithKey, vendorOf } from "./model-draft.ts";
import styles from "./models.module.css";
import { hostOf, titleOf } from "../design/vendors.ts";
import * as texts from "./text.ts";

export const KeyFields = ({ choice }: { readonly choice: ModelChoice }) => {
  const { knownProviders: vendors, providers } = choice.offersQuery.offers;
  const vendor = vendorOf(choice.draft, vendors);
  if (vendor === undefined) return undefined;
  const hasStoredKey = findProviderWithKey(vendor, providers) !== undefined;
  return (
    <>
      <Field label={texts.provider}>
        {(ids) => (
          <Select {...ids} value={vendor.name} onChange={(event) => choice.chooseVendor(event.target.value)}>
            {vendors.map(({ name }) => (
              <option key={name} value={name}>
                {titleOf(name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <KeyField
        choice={choice}
        label={texts.apiKey}
        hint={
          <>
            {hasStoredKey ? texts.keyIsStored : `${texts.keyStorage} `}
            <KeyPage address={vendor.keyPage} />
          </>
        }
      />
    </>
  );
};

export const ServerFields = ({ choice }: { readonly choice: ModelChoice }) => (
  <>
    <Field
      label={texts.address}
      hint={texts.addressHint}
      error={choice.problem?.field === "address" ? choice.problem.text : undefined}
    >
      {(ids) => (
        <TextInput
          {...ids}
          inputMode="url"
          placeholder={texts.addressExample}
          value={choice.draft.address ?? ""}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => choice.setAddress(event.target.value)}
        />
      )}
    </Field>
    <KeyField choice={choice} label={texts.optionalApiKey} hint={texts.keyStorage} />
  </>
);

const KeyField = ({
  choice,
  label,
  hint,
}: {
  readonly choice: ModelChoice;
  readonly label: string;
  readonly hint: ReactNode;
}) => (
  <Field label={label} hint={hint} error={choice.problem?.field === "key" ? choice.problem.text : undefined}>
    {(ids) => (
      <TextInput
        {...ids}
        type="password"
        value={choice.key}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => choice.setKey(event.target.value)}
      />
    )}
  </Field>
);

/** A link to the vendor's page for keys. Its text names the host. */
const KeyPage = ({ address }: { readonly address: string | undefined }) =>
  address?.startsWith("https://") ? (
    <a className={styles.page} href={address} target="_blank" rel="noreferrer">
      {texts.createKeyAt(hostOf(address))}
      <Icon name="external" />
    </a>
  ) : undefined;
