/** The title of a page, and its buttons. On phones it stays at the top while the page scrolls. */
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./page-header.module.css";

export interface PageHeaderProps {
  readonly title: string;
  /** Buttons and links about the whole page. */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

export const PageHeader = ({ title, children, className }: PageHeaderProps) => (
  <header className={classes(styles.header, className)}>
    <h1>{title}</h1>
    {children === undefined ? undefined : <div className={styles.buttons}>{children}</div>}
  </header>
);
