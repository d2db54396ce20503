/** Examples of form fields. */
import { useState } from "react";
import { ChoiceGroup } from "../design/choice.tsx";
import { Combobox } from "../design/combobox.tsx";
import { Checkbox, Field, Select, TextArea, TextInput } from "../design/field.tsx";
import { FilterBar } from "../design/filter-bar.tsx";
import type { Examples } from "./examples.ts";
import * as texts from "./text.ts";

const FieldExample = () => {
  const [value, setValue] = useState("");
  return (
    <>
      <Field label={texts.name} hint={texts.nameHint}>
        {(ids) => <TextInput {...ids} value={value} onChange={({ target }) => setValue(target.value)} />}
      </Field>
      <Field label={texts.invalid} error={texts.nameError}>
        {(ids) => <TextInput {...ids} value={value} onChange={({ target }) => setValue(target.value)} />}
      </Field>
    </>
  );
};

const TextInputExample = () => (
  <>
    <TextInput aria-label={texts.empty} placeholder={texts.name} />
    <TextInput aria-label={texts.filled} defaultValue={texts.filled} />
    <TextInput aria-label={texts.readOnly} value={texts.readOnly} readOnly />
    <TextInput aria-label={texts.disabled} value={texts.disabled} disabled />
  </>
);

const TextAreaExample = () => (
  <>
    <TextArea aria-label={texts.notes} defaultValue={texts.sampleNotes} />
    <TextArea aria-label={texts.disabled} value={texts.disabled} disabled />
  </>
);

const SelectExample = () => (
  <>
    <Select aria-label={texts.choice}>
      <option>{texts.one}</option>
      <option>{texts.two}</option>
    </Select>
    <Select aria-label={texts.disabled} disabled>
      <option>{texts.one}</option>
    </Select>
  </>
);

const CheckboxExample = () => (
  <>
    <Checkbox label={texts.unchecked} />
    <Checkbox label={texts.checked} detail={texts.checkDetail} defaultChecked />
    <Checkbox label={texts.disabled} disabled />
  </>
);

const ChoiceGroupExample = () => {
  const [value, setValue] = useState<"one" | "two">("one");
  return (
    <ChoiceGroup
      label={texts.choice}
      value={value}
      onChange={setValue}
      choices={[
        { value: "one", title: texts.one, detail: texts.oneDetail, badge: texts.recommended },
        { value: "two", title: texts.two, detail: texts.twoDetail },
      ]}
    />
  );
};

const FilterBarExample = () => {
  const [value, setValue] = useState("one");
  return (
    <FilterBar
      label={texts.filters}
      values={{ state: value }}
      onChange={(_, newValue) => setValue(newValue)}
      onClear={() => setValue("")}
      filters={[
        {
          name: "state",
          label: texts.state,
          all: texts.all,
          options: [
            { value: "one", title: texts.one },
            { value: "two", title: texts.two },
          ],
        },
      ]}
    />
  );
};

const ComboboxExample = () => <Combobox aria-label={texts.suggestions} suggestions={[texts.one, texts.two]} />;

export const fieldExamples: Examples = {
  Combobox: { Example: ComboboxExample },
  Field: { Example: FieldExample },
  TextInput: { Example: TextInputExample },
  TextArea: { Example: TextAreaExample },
  Select: { Example: SelectExample },
  Checkbox: { Example: CheckboxExample },
  ChoiceGroup: { Example: ChoiceGroupExample },
  FilterBar: { Example: FilterBarExample },
};
