/** A group of radio buttons with descriptions. Native inputs, for keyboard and form support. */
import { type ReactNode, useId } from "react";
import { Badge } from "./badge.tsx";
import styles from "./choice.module.css";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** A short text after the title. */
  readonly badge?: string | undefined;
}

export interface ChoiceGroupProps<Value extends string> {
  readonly label: string;
  /** Undefined if nothing is chosen. */
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
}

export const ChoiceGroup = <Value extends string>({ label, value, onChange, choices }: ChoiceGroupProps<Value>) => {
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={styles.text}>
            <span className={styles.title}>
              {choice.title}
              {choice.badge === undefined ? undefined : <Badge>{choice.badge}</Badge>}
            </span>
            {choice.detail === undefined ? undefined : <span className={styles.detail}>{choice.detail}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
};
