/** A page that says one thing: that it is on its way, that something is not there, that something broke. */
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
