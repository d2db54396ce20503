/** A time zone field with suggestions. */
import { useId } from "react";
import { Field, TextInput } from "../design/field.tsx";

export interface ZoneFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
}

export const ZoneField = ({ label, value, onChange, hint, error }: ZoneFieldProps) => {
  const list = useId();
  return (
    <>
      <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
        {(ids) => (
          <TextInput
            {...ids}
            list={list}
            value={value}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <datalist id={list}>
        {zones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
};

const zones = (): readonly string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** Returns the time zone of this browser. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
