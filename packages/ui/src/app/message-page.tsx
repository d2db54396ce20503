/** A page with a single message: loading, missing or failed. */
import type { ReactNode } from "react";
import styles from "./message-page.module.css";

export interface MessagePageProps {
  readonly title?: string;
  readonly children?: ReactNode;
}

export const MessagePage = ({ title, children }: MessagePageProps) => (
  <div className={styles.page}>
    <div className={styles.text}>
      {title === undefined ? undefined : <h1>{title}</h1>}
      {children}
    </div>
  </div>
);
