/** The field for the name of a passkey. */
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface PasskeyNameProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const PasskeyName = ({ value, onChange }: PasskeyNameProps) => (
  <Field label={texts.passkeyName} hint={texts.passkeyNameHint}>
    {(ids) => (
      <TextInput
        {...ids}
        required
        value={value}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
