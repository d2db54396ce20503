/** A loading indicator. */
import styles from "./spinner.module.css";

export const Spinner = ({ label }: { readonly label: string }) => (
  <span role="img" aria-label={label} className={styles.spinner} />
);
