/** A time zone field with suggestions. */
import { Combobox } from "../design/combobox.tsx";
import { Field } from "../design/field.tsx";

export interface ZoneFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
}

export const ZoneField = ({ label, value, onChange, hint, error }: ZoneFieldProps) => {
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(ids) => (
        <Combobox
          {...ids}
          suggestions={listZones()}
          value={value}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};

const listZones = (): readonly string[] => [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];

/** Returns the time zone of this browser. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
