/** The number of pending approvals and proposals in the link to the inbox, and on the icon of the installed app. */
import { useEffect } from "react";
import { VisuallyHidden } from "../design/hidden.tsx";
import { useUi } from "../house/ui.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import { usePendingProposals } from "./use-pending-proposals.ts";
import * as texts from "./text.ts";

export const PendingCount = () => {
  const { page } = useUi();
  const approvals = usePendingApprovals().value?.length ?? 0;
  const proposals = usePendingProposals().value?.length ?? 0;
  const count = approvals + proposals;
  useEffect(() => page.setBadge(count), [page, count]);
  return count === 0 ? undefined : (
    <span className={styles.count}>
      {count}
      <VisuallyHidden>{texts.pending}</VisuallyHidden>
    </span>
  );
};
