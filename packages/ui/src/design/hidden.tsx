/** Text for those who listen to a page instead of looking at it. */
import type { ReactNode } from "react";
import styles from "./hidden.module.css";

export const Hidden = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles.hidden}>{children}</span>
);
