/** A text input with suggestions. Every other text is valid too. */
import { type ComponentProps, useId } from "react";
import { TextInput } from "./field.tsx";

export interface ComboboxProps extends ComponentProps<typeof TextInput> {
  readonly suggestions: readonly string[];
}

export const Combobox = ({ suggestions, ...props }: ComboboxProps) => {
  const list = useId();
  return (
    <>
      <TextInput autoComplete="off" spellCheck={false} {...props} list={list} />
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
};
