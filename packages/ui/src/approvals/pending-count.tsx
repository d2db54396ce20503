/** The number of pending approvals in the link to their page. */
import { useEffect } from "react";
import { Hidden } from "../design/hidden.tsx";
import { useUi } from "../house/ui.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import * as texts from "./text.ts";

export const PendingCount = () => {
  const { page } = useUi();
  const count = usePendingApprovals().value?.length ?? 0;
  useEffect(() => page.setBadge(count), [page, count]);
  return count === 0 ? undefined : (
    <span className={styles.count}>
      {count}
      <Hidden>{texts.pending}</Hidden>
    </span>
  );
};
