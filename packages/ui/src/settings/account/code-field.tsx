/** The field for a code of an authenticator app, or a recovery code. */
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface CodeFieldProps {
  readonly hint: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
}

export const CodeField = ({ hint, value, onChange }: CodeFieldProps) => (
  <Field label={texts.code} hint={hint}>
    {(ids) => (
      <TextInput
        {...ids}
        required
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={40}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
