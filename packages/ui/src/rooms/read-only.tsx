/** In the place of the composer, for who may read and no more. What they have begun to write is kept. */
import { useId } from "react";
import styles from "./read-only.module.css";

export const ReadOnly = () => {
  const id = useId();
  return (
    <section className={styles.line} aria-labelledby={id}>
      <p id={id}>You can read here, but not write. Whoever decides in this house can change that.</p>
    </section>
  );
};
