/** What somebody or something is called. */
import { MAX_NAME_LENGTH } from "@hearth/protocol";
import { Field, TextInput } from "../design/field.tsx";

export interface NameFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  /** For the browser, where it is the person's own name. */
  readonly autoComplete?: "name" | "off";
  readonly onChange: (name: string) => void;
}

export const NameField = ({ value, error, hint, autoComplete = "off", onChange }: NameFieldProps) => (
  <Field label="Name" error={error} hint={hint}>
    {(ids) => (
      <TextInput
        {...ids}
        value={value}
        maxLength={MAX_NAME_LENGTH}
        autoComplete={autoComplete}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

/** What a form says of a name that is none. */
export const checkName = (name: string): { readonly name?: string } =>
  name.trim() === "" ? { name: "Write a name." } : {};
