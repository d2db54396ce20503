/**
 * Finds out whether a failed commit was applied. A transaction is recognized by an event that it
 * appended, or by its number, which it writes into one row if it appended none.
 */
import { HearthError } from "@hearth/protocol";
import { DiskFull, type SqlDatabase } from "./database.ts";
import type { Appended } from "./store.ts";

export interface CommitMarks {
  /**
   * Commits the open transaction. `witness`: an event that it appended and did not remove again.
   * Throws the error of the disk when it is certain that nothing was applied and nothing will be,
   * and `UnknownOutcome` otherwise.
   */
  commit(witness: Witness | undefined): void;
}

/** An event of the transaction. Its id is never used again. */
export type Witness = Pick<Appended, "stream" | "offset" | "id">;

/** It is unknown whether a commit was applied. The next start reads it from the database. */
export class UnknownOutcome extends HearthError {
  constructor(cause: unknown) {
    super("store.unavailable", "The disk failed during a commit, and it is unknown whether the commit was applied.", {
      hint: "Check the disk, then start Hearth again. It continues from what the database contains.",
      cause,
    });
  }
}

const SET_MARK = "update commit_marks set writer = ?, number = ? where id = 1";

interface Mark {
  readonly writer: string;
  readonly number: number;
}

/** Each open store has its own writer id and never mistakes another process's mark for its own. */
export const createCommitMarks = (database: SqlDatabase): CommitMarks => {
  const [random] = database.all("select hex(randomblob(16)) as writer");
  const writer = String(random?.["writer"]);
  let number = 0;
  /** The row's content when it was last read or written. */
  let last = readMark(database);

  const isApplied = (witness: Witness | undefined): boolean => {
    if (witness !== undefined) return isThere(database, witness);
    const mark = readMark(database);
    if (mark.writer === writer && mark.number === number) return true;
    // Without another process the row is as it was before.
    if (mark.writer === last.writer && mark.number === last.number) return false;
    throw new Error(`another store has written since: ${mark.writer}`);
  };

  /**
   * The failed call may be the sync of the log. A checkpoint writes the same pages to the database
   * file, and syncs that.
   */
  const makeDurable = (): void => {
    const [row] = database.all("pragma wal_checkpoint(full)");
    if (row?.["busy"] !== 0) throw new Error("the checkpoint did not finish");
  };

  /**
   * A transaction that was not applied may be complete in the log all the same, when the sync
   * failed. Recovery after a crash would apply it. The next transaction takes its place in the log.
   */
  const overwrite = (): void => {
    number += 1;
    database.run("begin immediate");
    database.run(SET_MARK, [writer, number]);
    database.run("commit");
    last = { writer, number };
  };

  /** Returns when the transaction was applied and is durable. */
  const resolve = (failure: unknown, witness: Witness | undefined): void => {
    // SQLite has kept the transaction open: it is not applied.
    if (database.inTransaction()) throw failure;
    let applied: boolean;
    try {
      applied = isApplied(witness);
      if (applied) makeDurable();
      // A full disk has no space for the end of the transaction, and recovery ignores the rest.
      else if (!(failure instanceof DiskFull)) overwrite();
    } catch {
      throw new UnknownOutcome(failure);
    }
    if (!applied) throw failure;
  };

  return {
    commit(witness) {
      const next = witness === undefined ? { writer, number: (number += 1) } : last;
      if (witness === undefined) database.run(SET_MARK, [writer, number]);
      try {
        database.run("commit");
      } catch (error) {
        resolve(error, witness);
      }
      last = next;
    },
  };
};

const isThere = (database: SqlDatabase, { stream, offset, id }: Witness): boolean =>
  database.all("select 1 from events where stream = ? and offset = ? and id = ?", [stream, offset, id]).length === 1;

const readMark = (database: SqlDatabase): Mark => {
  const [row] = database.all("select * from commit_marks where id = 1");
  return { writer: String(row?.["writer"]), number: Number(row?.["number"]) };
};
