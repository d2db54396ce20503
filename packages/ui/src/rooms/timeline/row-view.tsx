/** One row of the timeline, with the date heading of a new day. */
import { memo } from "react";
import { LiveRun } from "../runs/activation.tsx";
import { EndedRun } from "../runs/ended.tsx";
import { Message } from "../messages/message.tsx";
import { Pending } from "../messages/pending.tsx";
import { beginsSession, nameDay, type Row } from "./rows.ts";
import { SessionLine } from "./session-line.tsx";
import styles from "./timeline.module.css";
import { classes } from "../../design/classes.ts";

export interface RowProps {
  readonly row: Row;
  /** Start of the current day. */
  readonly today: number;
  /** Whether the address of the page names this message, for example after a search. */
  readonly isFound?: boolean;
}

export const RowView = memo(({ row, today, isFound = false }: RowProps) => (
  <div data-row={row.key} className={classes(styles.row, row.isGroupStart && styles.start, isFound && styles.found)}>
    {row.day === undefined ? undefined : <h2 className={styles.day}>{nameDay(row.day, today)}</h2>}
    <Content row={row} />
  </div>
));

const Content = ({ row }: { readonly row: Row }) => {
  switch (row.kind) {
    case "message":
      return beginsSession(row.message) ? (
        <SessionLine message={row.message} />
      ) : (
        <Message message={row.message} isGroupStart={row.isGroupStart} />
      );
    case "ended":
      return <EndedRun activation={row.activation} cause={row.cause} />;
    case "pending":
      return <Pending message={row.message} />;
    case "live":
      return <LiveRun activation={row.activation} isGroupStart={row.isGroupStart} isSole={row.isSole} />;
  }
};
