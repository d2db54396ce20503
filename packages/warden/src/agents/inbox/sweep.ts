/** Erases old inbox messages in bounded commits. */
import type { Store } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";
import type { InboxRow } from "./inbox.ts";

export interface InboxSweepOptions {
  readonly clock: Pick<Clock, "turn">;
  readonly store: Store;
}

/** Maximum number of messages per commit, so that other commits do not wait long. */
const ROWS_PER_COMMIT = 100;

export const createInboxSweep = ({ clock, store }: InboxSweepOptions): ((until: number) => Promise<number>) => {
  /** Returns the start time of each agent's oldest running turn. */
  const oldestRunningTurns = async (): Promise<ReadonlyMap<string, number>> => {
    const openTurns = await store.select({ table: "activations", where: { ended_at: null } });
    const oldestStarts = new Map<string, number>();
    for (const { agent, created_at: at } of openTurns)
      oldestStarts.set(agent, Math.min(at, oldestStarts.get(agent) ?? Infinity));
    return oldestStarts;
  };

  /** Returns the questions that waiting answers quote. */
  const findQuotedQuestions = async (rows: readonly InboxRow[]): Promise<ReadonlySet<string | null>> => {
    const value = rows.map(({ id }) => id);
    const answers = await store.select({
      table: "inbox",
      where: { status: "pending" },
      and: [{ column: "reply_to", is: "in", value }],
    });
    return new Set(answers.map(({ reply_to: question }) => question));
  };

  /** Returns the messages after `lastRow` by time of move. Many messages may have the same time. */
  const nextMovedRows = async (lastRow: InboxRow | undefined, until: number): Promise<readonly InboxRow[]> => {
    if (lastRow !== undefined) {
      const tiedRows = await store.select({
        table: "inbox",
        where: { moved_at: lastRow.moved_at },
        and: [{ column: "id", is: ">", value: lastRow.id }],
        order: [{ column: "id" }],
        limit: ROWS_PER_COMMIT,
      });
      if (tiedRows.length > 0) return tiedRows;
    }
    return store.select({
      table: "inbox",
      and: [
        { column: "moved_at", is: ">", value: lastRow?.moved_at ?? -1 },
        { column: "moved_at", is: "<=", value: until },
      ],
      order: [{ column: "moved_at" }, { column: "id" }],
      limit: ROWS_PER_COMMIT,
    });
  };

  return async (until) => {
    let count = 0;
    let lastRow: InboxRow | undefined;
    const oldestStarts = await oldestRunningTurns();
    // Whether a running turn may still use the message: the reader's, if it began before the
    // message was read, or the sender's.
    const mayBeInUse = ({ sender, recipient, moved_at: at }: InboxRow): boolean =>
      [sender, recipient].some((agent) => (oldestStarts.get(agent) ?? Infinity) <= (at ?? 0));
    for (;;) {
      const rows = await nextMovedRows(lastRow, until);
      lastRow = rows.at(-1);
      if (lastRow === undefined) return count;
      const quotedIds = await findQuotedQuestions(rows);
      const expiredRows = rows.filter((row) => !mayBeInUse(row) && !quotedIds.has(row.id));
      if (expiredRows.length > 0) {
        // The guard includes the time, so that a message that is archived at this moment stays.
        await store.commit({
          writes: expiredRows.map(({ id, moved_at }) => ({ kind: "delete", table: "inbox", where: { id, moved_at } })),
        });
      }
      count += expiredRows.length;
      await clock.turn();
    }
  };
};
