/** Filters of a list, side by side, and a button that clears them. */
import { Button } from "./button.tsx";
import { Field, Select } from "./field.tsx";
import styles from "./filter-bar.module.css";
import * as texts from "./text.ts";

export interface Filter {
  readonly label: string;
  /** Empty: all. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The title of the choice that hides nothing. */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
}

export interface FilterBarProps {
  readonly label: string;
  readonly filters: readonly Filter[];
  readonly onClear: () => void;
}

export const FilterBar = ({ label, filters, onClear }: FilterBarProps) => (
  <div role="group" aria-label={label} className={styles.bar}>
    {filters.map(({ label: title, value, onChange, all, options }) => (
      <Field key={title} label={title}>
        {(ids) => (
          <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
            <option value="">{all}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.title}
              </option>
            ))}
          </Select>
        )}
      </Field>
    ))}
    {filters.some(({ value }) => value !== "") ? (
      <Button kind="quiet" size="small" onClick={onClear}>
        {texts.clearFilters}
      </Button>
    ) : undefined}
  </div>
);
