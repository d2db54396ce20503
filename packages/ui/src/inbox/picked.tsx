/** A card of the inbox with a checkbox, for decisions about several cards. */
import type { ReactNode } from "react";
import { Hidden } from "../design/hidden.tsx";
import { type TableSelection, toggled } from "../design/table.tsx";
import styles from "../approvals/approvals.module.css";
import * as texts from "./text.ts";

export interface PickedProps {
  readonly id: string;
  readonly name: string;
  /** A decided card cannot be selected. */
  readonly isOpen: boolean;
  /** Undefined if the card has no checkbox. */
  readonly selection: TableSelection | undefined;
  readonly children: ReactNode;
}

export const Picked = ({ id, name, isOpen, selection, children }: PickedProps) => (
  <div className={styles.picked}>
    {selection === undefined || !isOpen ? undefined : (
      <label className={styles.pick}>
        <input
          type="checkbox"
          checked={selection.keys.has(id)}
          onChange={() => selection.onChange(toggled(selection.keys, id))}
        />
        <Hidden>{texts.select(name)}</Hidden>
      </label>
    )}
    {children}
  </div>
);
