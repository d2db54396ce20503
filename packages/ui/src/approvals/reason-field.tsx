/** The reason for denying requests, which the agent reads. */
import { Field, TextInput } from "../design/field.tsx";
import * as texts from "./text.ts";

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

export const ReasonField = ({ value, onChange }: ReasonFieldProps) => (
  <Field label={texts.reason}>
    {(ids) => (
      <TextInput
        {...ids}
        value={value}
        maxLength={2000}
        placeholder={texts.reasonHint}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface Denial {
  readonly decision: "deny";
  readonly reason?: string;
}

/** Returns the denial. An empty reason is left out. */
export const toDenial = (reason: string): Denial => ({
  decision: "deny",
  ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
});
