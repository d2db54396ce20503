/** The number of pending approvals and proposals in the link to the inbox. */
import { Hidden } from "../design/hidden.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import { usePendingProposals } from "./use-pending-proposals.ts";
import * as texts from "./text.ts";

export const PendingCount = () => {
  const approvals = usePendingApprovals().value?.length ?? 0;
  const proposals = usePendingProposals().value?.length ?? 0;
  const count = approvals + proposals;
  return count === 0 ? undefined : (
    <span className={styles.count}>
      {count}
      <Hidden>{texts.pending}</Hidden>
    </span>
  );
};
