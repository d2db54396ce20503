/** Something is on its way and nobody knows how long it takes. */
import styles from "./spinner.module.css";

export const Spinner = ({ label }: { readonly label: string }) => (
  <span role="img" aria-label={label} className={styles.spinner} />
);
