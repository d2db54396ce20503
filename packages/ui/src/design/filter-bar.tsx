/** Filters of a list, side by side, and a button that clears them. */
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Field, Select, TextInput } from "./field.tsx";
import styles from "./filter-bar.module.css";
import * as texts from "./text.ts";

export interface Filter<Name extends string> {
  /** Its name in the values, and in the address of a page that keeps them there. */
  readonly name: Name;
  readonly label: string;
  /** The title of the choice that shows all rows. */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
}

export interface FilterBarProps<Name extends string> {
  readonly label: string;
  /** A search before the filters. Its text is in `values` too. */
  readonly search?: { readonly name: Name; readonly label: string };
  readonly filters: readonly Filter<Name>[];
  /** The chosen value of each filter. An empty value shows all rows. */
  readonly values: Readonly<Record<Name, string>>;
  readonly onChange: (name: Name, value: string) => void;
  readonly onClear: () => void;
  /** More fields of the bar, such as dates. Their values are in `values` too. */
  readonly children?: ReactNode;
}

export const FilterBar = <Name extends string>({
  label,
  search,
  filters,
  values,
  onChange,
  onClear,
  children,
}: FilterBarProps<Name>) => (
  <div role="group" aria-label={label} className={styles.bar}>
    {search === undefined ? undefined : (
      <Field label={search.label}>
        {(ids) => (
          <TextInput
            {...ids}
            type="search"
            value={values[search.name]}
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => onChange(search.name, target.value)}
          />
        )}
      </Field>
    )}
    {filters.map(({ name, label: title, all, options }) => (
      <Field key={name} label={title}>
        {(ids) => (
          <Select {...ids} value={values[name]} onChange={({ target }) => onChange(name, target.value)}>
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
    {children === undefined ? (
      <ClearButton values={values} onClear={onClear} />
    ) : (
      <div className={styles.more}>
        {children}
        <ClearButton values={values} onClear={onClear} />
      </div>
    )}
  </div>
);

interface ClearButtonProps {
  readonly values: Readonly<Record<string, string>>;
  readonly onClear: () => void;
}

const ClearButton = ({ values, onClear }: ClearButtonProps) =>
  Object.values(values).some((value) => value !== "") ? (
    <Button kind="quiet" size="small" onClick={onClear}>
      {texts.clearFilters}
    </Button>
  ) : undefined;
