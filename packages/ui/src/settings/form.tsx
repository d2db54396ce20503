/** A form of the settings: what is sent stays on the page, and what is wrong with it is said there. */
import type { ReactNode } from "react";
import styles from "./settings.module.css";

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
