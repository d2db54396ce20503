/** A switch with a title and a description. It is a native checkbox, for keyboards and screen readers. */
import { observe } from "@hearth/client";
import { type ReactNode, useId, useState } from "react";
import styles from "./switch.module.css";

export interface SwitchProps {
  readonly title: string;
  readonly isOn: boolean;
  /** Saves the change. Until it resolves, the switch shows the wish. */
  readonly onChange: (isOn: boolean) => Promise<void>;
  /** Describes the switch. Outside its label, so that it can contain links. */
  readonly children?: ReactNode;
}

export const Switch = ({ title, isOn, onChange, children }: SwitchProps) => {
  const detail = useId();
  const [wish, setWish] = useState<{ readonly isOn: boolean }>();
  const turn = async (next: boolean): Promise<void> => {
    const mine = { isOn: next };
    setWish(mine);
    await onChange(next);
    setWish((last) => (last === mine ? undefined : last));
  };
  return (
    <div className={styles.row}>
      <div className={styles.text}>
        <label>
          <span className={styles.title}>{title}</span>
          <input
            type="checkbox"
            role="switch"
            className={styles.switch}
            checked={wish?.isOn ?? isOn}
            aria-describedby={detail}
            onChange={({ target }) => observe(turn(target.checked))}
          />
        </label>
        <div id={detail} className={styles.detail}>
          {children}
        </div>
      </div>
    </div>
  );
};
