/** A switch with a title and a description. It is a native checkbox, for keyboards and screen readers. */
import { observe } from "@hearth/client";
import { type ReactNode, useId, useState } from "react";
import styles from "./switch.module.css";

export interface SwitchProps {
  readonly title: string;
  readonly isOn: boolean;
  /** Saves the change. Until it resolves, the switch shows the new state. */
  readonly onChange: (isOn: boolean) => Promise<void>;
  /** Describes the switch. Outside its label, so that it can contain links. */
  readonly children?: ReactNode;
}

export const Switch = ({ title, isOn, onChange, children }: SwitchProps) => {
  const detailId = useId();
  const [pendingChange, setPendingChange] = useState<{ readonly isOn: boolean }>();
  const changeTo = async (isNowOn: boolean): Promise<void> => {
    const change = { isOn: isNowOn };
    setPendingChange(change);
    await onChange(isNowOn);
    setPendingChange((previousChange) => (previousChange === change ? undefined : previousChange));
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
            checked={pendingChange?.isOn ?? isOn}
            aria-describedby={detailId}
            onChange={({ target }) => observe(changeTo(target.checked))}
          />
        </label>
        <div id={detailId} className={styles.detail}>
          {children}
        </div>
      </div>
    </div>
  );
};
