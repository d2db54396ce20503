/** A text field for a model name, for users who cannot list the models. */
import { Field, TextInput } from "../../design/field.tsx";

export interface ModelNameFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (model: string) => void;
}

export const ModelNameField = ({ label, hint, value, error, onChange }: ModelNameFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <TextInput
        {...ids}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
