/** A text input with suggestions. Every other text is valid too. */
import { type ComponentProps, useId } from "react";
import { TextInput } from "./field.tsx";

export interface ComboboxProps extends ComponentProps<typeof TextInput> {
  readonly suggestions: readonly string[];
}

export const Combobox = ({ suggestions, ...props }: ComboboxProps) => {
  const listId = useId();
  return (
    <>
      <TextInput autoComplete="off" spellCheck={false} {...props} list={listId} />
      <datalist id={listId}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
};
