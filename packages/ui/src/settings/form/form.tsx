/** A settings form. It stays on the page after submission, and shows its error below its fields. */
import type { ReactNode } from "react";
import styles from "../settings.module.css";

export interface FormProps {
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
}

export const Form = ({ onSubmit, children }: FormProps) => (
  <form
    className={styles.form}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {children}
  </form>
);
