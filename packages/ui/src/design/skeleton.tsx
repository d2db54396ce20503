/** The outline of a page that is loading. */
import styles from "./skeleton.module.css";

export interface SkeletonProps {
  readonly label: string;
  /** Number of lines. */
  readonly lines?: number;
}

export const Skeleton = ({ label, lines = 3 }: SkeletonProps) => (
  <div role="img" aria-label={label} className={styles.skeleton}>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className={styles.line} />
    ))}
  </div>
);
