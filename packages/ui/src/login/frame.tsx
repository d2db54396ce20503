/** The frame of pages that begin a session: logo, title and content. */
import type { ReactNode } from "react";
import { Mark } from "../design/mark.tsx";
import styles from "./login-page.module.css";

export const Frame = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className={styles.page}>
    <div className={styles.text}>
      <Mark />
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);
