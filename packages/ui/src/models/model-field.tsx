/** The field for a model name, with a list of suggestions. */
import { Combobox } from "../design/combobox.tsx";
import { Field } from "../design/field.tsx";
import * as texts from "./text.ts";

export interface ModelFieldProps {
  readonly value: string;
  readonly onChange: (model: string) => void;
  /** Undefined if no list is known. */
  readonly models: readonly string[] | undefined;
  readonly error?: string | undefined;
}

export const ModelField = ({ value, onChange, models, error }: ModelFieldProps) => {
  return (
    <Field label={texts.model} error={error} hint={describeField(models, value)}>
      {(ids) => (
        <Combobox
          {...ids}
          suggestions={models ?? []}
          value={value}
          maxLength={120}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};

const describeField = (models: readonly string[] | undefined, value: string): string => {
  if (models !== undefined && models.length > 0) return texts.modelSuggestions(models.length);
  return value === "" ? texts.modelHint : texts.typedModelHint;
};
