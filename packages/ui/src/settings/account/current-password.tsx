/** The field for the user's current password. */
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface CurrentPasswordProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const CurrentPassword = ({ value, onChange }: CurrentPasswordProps) => (
  <Field label={texts.currentPassword}>
    {(ids) => (
      <TextInput
        {...ids}
        required
        type="password"
        autoComplete="current-password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
