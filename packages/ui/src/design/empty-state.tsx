/** The content of an empty list: what is missing, and a button or link that changes it. */
import type { ReactNode } from "react";
import styles from "./empty-state.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: ReactNode;
  /** A button or link. */
  readonly children?: ReactNode;
}

export const EmptyState = ({ icon, title, text, children }: EmptyStateProps) => (
  <div className={styles.empty}>
    <Icon name={icon} />
    <p className={styles.title}>{title}</p>
    {text === undefined ? undefined : <p className={styles.text}>{text}</p>}
    {children}
  </div>
);
