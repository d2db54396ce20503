/** The field for the name of an agent, person, room or house. */
import { MAX_NAME_LENGTH } from "@hearth/protocol";
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface NameFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly hint?: string;
  /** Lets the browser fill in the user's own name. */
  readonly autoComplete?: "name" | "off";
  readonly onChange: (name: string) => void;
}

export const NameField = ({
  label = texts.name,
  value,
  error,
  hint,
  autoComplete = "off",
  onChange,
}: NameFieldProps) => (
  <Field label={label} error={error} hint={hint}>
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

/** Returns the error of an invalid name. */
export const checkName = (name: string): { readonly name?: string } =>
  name.trim() === "" ? { name: texts.enterAName } : {};
