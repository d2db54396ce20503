/** Replaces the composer for viewers. An earlier draft stays stored. */
import { useId } from "react";
import styles from "./read-only.module.css";

export const ReadOnly = () => {
  const id = useId();
  return (
    <section className={styles.line} aria-labelledby={id}>
      <p id={id}>You have read access only. An admin of this house can change that.</p>
    </section>
  );
};
