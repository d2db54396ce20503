/** The number of pending approvals in the link to their page. */
import { Hidden } from "../design/hidden.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import * as texts from "./text.ts";

export const PendingCount = () => {
  const count = usePendingApprovals().value?.length ?? 0;
  return count === 0 ? undefined : (
    <span className={styles.count}>
      {count}
      <Hidden>{texts.pending}</Hidden>
    </span>
  );
};
