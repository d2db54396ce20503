/** Field for a host name. */
import type { ReactNode } from "react";
import { Field, TextInput } from "../../design/field.tsx";
import * as texts from "./text.ts";

export interface HostInputProps {
  readonly hint?: ReactNode;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

export const HostInput = ({ hint, value, isWrong, onChange }: HostInputProps) => (
  <Field label={texts.host} hint={hint} error={isWrong ? texts.invalidHost : undefined}>
    {(ids) => (
      <TextInput
        {...ids}
        value={value}
        maxLength={253}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
