/** A card of the inbox with a checkbox, for decisions about several cards. */
import type { ReactNode } from "react";
import { VisuallyHidden } from "../design/hidden.tsx";
import { type TableSelection, toggleKey } from "../design/table.tsx";
import styles from "../approvals/approvals.module.css";
import * as texts from "./text.ts";

export interface SelectableCardProps {
  readonly id: string;
  readonly name: string;
  /** A decided card cannot be selected. */
  readonly isOpen: boolean;
  /** Undefined if the card has no checkbox. */
  readonly selection: TableSelection | undefined;
  readonly children: ReactNode;
}

export const SelectableCard = ({ id, name, isOpen, selection, children }: SelectableCardProps) => (
  <div className={styles.picked}>
    {selection === undefined || !isOpen ? undefined : (
      <label className={styles.pick}>
        <input
          type="checkbox"
          checked={selection.keys.has(id)}
          onChange={() => selection.onChange(toggleKey(selection.keys, id))}
        />
        <VisuallyHidden>{texts.select(name)}</VisuallyHidden>
      </label>
    )}
    {children}
  </div>
);
