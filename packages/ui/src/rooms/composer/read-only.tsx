/** Replaces the composer for viewers. An earlier draft stays stored. */
import { useId } from "react";
import styles from "./read-only.module.css";
import * as texts from "../text.ts";

export const ReadOnly = () => {
  const id = useId();
  return (
    <section className={styles.line} aria-labelledby={id}>
      <p id={id}>{texts.readOnly}</p>
    </section>
  );
};
