/** Erases old inbox messages in bounded commits. */
import type { Store } from "../../kernel/index.ts";
import type { Clock } from "@hearth/protocol";
import type { InboxRow } from "./inbox.ts";

export interface InboxSweepOptions {
  readonly clock: Pick<Clock, "turn">;
  readonly store: Store;
}

/** Maximum number of messages per commit, so that other commits do not wait long. */
const BATCH = 100;

export const createInboxSweep = ({ clock, store }: InboxSweepOptions): ((until: number) => Promise<number>) => {
  /** Returns the start time of each agent's oldest running turn. */
  const oldestRunningTurns = async (): Promise<ReadonlyMap<string, number>> => {
    const open = await store.select({ table: "activations", where: { ended_at: null } });
    const since = new Map<string, number>();
    for (const { agent, created_at: at } of open) since.set(agent, Math.min(at, since.get(agent) ?? Infinity));
    return since;
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

  /** Returns the messages after `last` by time of move. Many messages may have the same time. */
  const nextMovedRows = async (last: InboxRow | undefined, until: number): Promise<readonly InboxRow[]> => {
    if (last !== undefined) {
      const tied = await store.select({
        table: "inbox",
        where: { moved_at: last.moved_at },
        and: [{ column: "id", is: ">", value: last.id }],
        order: [{ column: "id" }],
        limit: BATCH,
      });
      if (tied.length > 0) return tied;
    }
    return store.select({
      table: "inbox",
      and: [
        { column: "moved_at", is: ">", value: last?.moved_at ?? -1 },
        { column: "moved_at", is: "<=", value: until },
      ],
      order: [{ column: "moved_at" }, { column: "id" }],
      limit: BATCH,
    });
  };

  return async (until) => {
    let count = 0;
    let last: InboxRow | undefined;
    const since = await oldestRunningTurns();
    // Whether a running turn may still use the message: the reader's, if it began before the
    // message was read, or the sender's.
    const mayBeInUse = ({ sender, recipient, moved_at: at }: InboxRow): boolean =>
      [sender, recipient].some((agent) => (since.get(agent) ?? Infinity) <= (at ?? 0));
    for (;;) {
      const rows = await nextMovedRows(last, until);
      last = rows.at(-1);
      if (last === undefined) return count;
      const quotedIds = await findQuotedQuestions(rows);
      const expired = rows.filter((row) => !mayBeInUse(row) && !quotedIds.has(row.id));
      if (expired.length > 0) {
        // The guard includes the time, so that a message that is archived at this moment stays.
        await store.commit({
          writes: expired.map(({ id, moved_at }) => ({ kind: "delete", table: "inbox", where: { id, moved_at } })),
        });
      }
      count += expired.length;
      await clock.turn();
    }
  };
};
