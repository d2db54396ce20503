/** A settings form. A submission does not leave the page. The form shows an error below its fields. */
import { observe } from "@hearth/client";
import type { ReactNode } from "react";
import styles from "../settings.module.css";

export interface FormProps {
  readonly onSubmit: () => void | Promise<unknown>;
  readonly children: ReactNode;
}

export const Form = ({ onSubmit, children }: FormProps) => (
  <form
    className={styles.form}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      const submission = onSubmit();
      if (submission !== undefined) observe(submission);
    }}
  >
    {children}
  </form>
);
