/** The control of one setting: a number, a text, a switch, a choice or a list. */
import type { Setting } from "@hearth/protocol";
import type { ReactNode } from "react";
import { Checkbox, Field, Select, TextInput } from "../../design/field.tsx";
import type { SettingField } from "./setting-draft.ts";
import styles from "./values.module.css";
import * as texts from "./text.ts";

export interface SettingControlProps {
  readonly field: SettingField;
  readonly setting: Setting;
  readonly text: string;
  readonly isWrong: boolean;
  readonly onChange: (text: string) => void;
}

export const SettingControl = ({ field, setting, text, isWrong, onChange }: SettingControlProps) => {
  const { label, hint } = field;
  switch (field.kind) {
    case "switch":
      return (
        <div className={styles.wide}>
          <Checkbox
            label={label}
            detail={hint}
            checked={text === "true"}
            onChange={({ target }) => onChange(String(target.checked))}
          />
        </div>
      );
    case "list":
      return <ListControl label={label} options={field.options} text={text} onChange={onChange} />;
    case "choice":
      return <ChoiceControl field={field} text={text} onChange={onChange} />;
    case "number":
    case "text":
      return (
        <Field label={label} hint={hint} error={isWrong ? texts.notANumber : undefined}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode={field.kind === "number" ? "decimal" : "text"}
              value={text}
              maxLength={field.kind === "number" ? 20 : 500}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={placeholderOf(field, setting)}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      );
  }
};

const placeholderOf = (
  { kind, placeholder = kind === "number" ? texts.noLimit : "" }: Extract<SettingField, { kind: "number" | "text" }>,
  { default: fallback }: Setting,
): string => (fallback === undefined ? placeholder : String(fallback));

interface ListControlProps {
  readonly label: string;
  readonly options: Extract<SettingField, { kind: "list" }>["options"];
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const ListControl = ({ label, options, text, onChange }: ListControlProps) => {
  const chosenValues = text.split(",");
  return (
    <Group label={label}>
      {options.map(({ value, title }) => (
        <Checkbox
          key={value}
          label={title}
          checked={chosenValues.includes(value)}
          onChange={({ target }) =>
            onChange(
              options
                .map((option) => option.value)
                .filter((candidate) => (candidate === value ? target.checked : chosenValues.includes(candidate)))
                .join(","),
            )
          }
        />
      ))}
    </Group>
  );
};

const Group = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <fieldset className={styles.boxes}>
    <legend>{label}</legend>
    {children}
  </fieldset>
);

interface ChoiceControlProps {
  readonly field: Extract<SettingField, { kind: "choice" }>;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The value of the option that stands for any other text. */
const OTHER = "other:";

const ChoiceControl = ({ field: { label, hint, options, other }, text, onChange }: ChoiceControlProps) => {
  const isOther = other !== undefined && !options.some(({ value }) => value === text);
  return (
    <>
      <Field label={label} hint={hint}>
        {(ids) => (
          <Select
            {...ids}
            value={isOther ? OTHER : text}
            onChange={({ target }) => onChange(target.value === OTHER ? "" : target.value)}
          >
            {options.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
            {other === undefined ? undefined : <option value={OTHER}>{other.title}</option>}
          </Select>
        )}
      </Field>
      {isOther ? (
        <Field label={other.label}>
          {(ids) => (
            <TextInput
              {...ids}
              value={text}
              maxLength={200}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      ) : undefined}
    </>
  );
};
