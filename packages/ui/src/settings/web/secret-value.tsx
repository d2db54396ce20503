/** Field for the value of a secret. */
import { MIN_SECRET_SIZE } from "@hearth/protocol";
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface SecretValueProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly isTooShort: boolean;
  readonly onChange: (value: string) => void;
}

/** A field whose content is hidden and not stored by the browser. */
export const SecretValue = ({ label, hint, value, isTooShort, onChange }: SecretValueProps) => (
  <Field label={label} hint={hint} error={isTooShort ? texts.valueTooShort(MIN_SECRET_SIZE) : undefined}>
    {(ids) => (
      <TextInput
        {...ids}
        type="password"
        value={value}
        autoComplete="new-password"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
