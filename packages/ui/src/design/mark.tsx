/** Hearth's logo. */
import styles from "./mark.module.css";

export const Mark = () => (
  <svg className={styles.mark} viewBox="5 4.5 22 22" width="28" height="28" aria-hidden="true" focusable="false">
    <path className={styles.house} d="M6.5 14.8 16 6.5l9.5 8.3v9.7a1.5 1.5 0 0 1-1.5 1.5H8a1.5 1.5 0 0 1-1.5-1.5z" />
    <path d="M16.3 12.5c.3 2.6 3.7 4.1 3.7 7.4a4 4 0 0 1-8 0c0-1.6.8-2.7 1.6-3.5.1 1 .5 1.6 1.1 1.8-.3-2.2.2-4.3 1.6-5.7z" />
  </svg>
);
