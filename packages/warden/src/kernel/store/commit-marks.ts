/**
 * Finds out whether a failed commit was applied. If the transaction appended events, one of them
 * shows this. Any other transaction first writes its number into one row.
 */
import { HearthError } from "@hearth/protocol";
import { DiskFullError, type SqlDatabase } from "./database.ts";
import type { Appended } from "./store.ts";

export interface CommitMarks {
  /**
   * Commits the open transaction. `witness` is an event that it appended and that still exists,
   * or undefined.
   * Throws the error of the disk if the transaction is certainly not applied and never will be,
   * and `UnknownOutcomeError` otherwise.
   */
  commit(witness: Witness | undefined): void;
}

/** An event of the transaction. Its id is used only once. */
export type Witness = Pick<Appended, "stream" | "offset" | "id">;

/** It is unknown whether a commit was applied. The next start reads it from the database. */
export class UnknownOutcomeError extends HearthError {
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

/**
 * Creates the marks. Each open store has its own writer id, and never takes another process's mark
 * for its own.
 */
export const createCommitMarks = (database: SqlDatabase): CommitMarks => {
  const [random] = database.all("select hex(randomblob(16)) as writer");
  const writer = String(random?.["writer"]);
  let number = 0;
  /** The row's content when it was last read or written. */
  let lastMark = readMark(database);

  const isApplied = (witness: Witness | undefined): boolean => {
    if (witness !== undefined) return hasEvent(database, witness);
    const mark = readMark(database);
    if (mark.writer === writer && mark.number === number) return true;
    // The row is as this store left it before, so the commit was not applied.
    if (mark.writer === lastMark.writer && mark.number === lastMark.number) return false;
    throw new Error(`another store has written since: ${mark.writer}`);
  };

  /**
   * Makes a commit durable that may be applied although the sync of the write-ahead log failed. A
   * full checkpoint writes its pages to the database file and syncs that file.
   */
  const makeDurable = (): void => {
    const [row] = database.all("pragma wal_checkpoint(full)");
    if (row?.["busy"] !== 0) throw new Error("the checkpoint did not finish");
  };

  /**
   * Overwrites a failed transaction in the log. If only the sync failed, the log may contain the
   * whole transaction, although it was not applied, and recovery after a crash would apply it. The
   * next transaction overwrites it.
   */
  const overwrite = (): void => {
    number += 1;
    database.run("begin immediate");
    database.run(SET_MARK, [writer, number]);
    database.run("commit");
    lastMark = { writer, number };
  };

  /** Returns if the transaction was applied and is durable. Throws otherwise. */
  const resolveOutcome = (failure: unknown, witness: Witness | undefined): void => {
    // SQLite kept the transaction open, so it is not applied.
    if (database.inTransaction()) throw failure;
    let hasApplied: boolean;
    try {
      hasApplied = isApplied(witness);
      if (hasApplied) makeDurable();
      // On a full disk the end of the transaction was not written, so recovery ignores its
      // beginning.
      else if (!(failure instanceof DiskFullError)) overwrite();
    } catch {
      throw new UnknownOutcomeError(failure);
    }
    if (!hasApplied) throw failure;
  };

  return {
    commit(witness) {
      const nextMark = witness === undefined ? { writer, number: (number += 1) } : lastMark;
      if (witness === undefined) database.run(SET_MARK, [writer, number]);
      try {
        database.run("commit");
      } catch (error) {
        resolveOutcome(error, witness);
      }
      lastMark = nextMark;
    },
  };
};

const hasEvent = (database: SqlDatabase, { stream, offset, id }: Witness): boolean =>
  database.all("select 1 from events where stream = ? and offset = ? and id = ?", [stream, offset, id]).length === 1;

const readMark = (database: SqlDatabase): Mark => {
  const [row] = database.all("select * from commit_marks where id = 1");
  return { writer: String(row?.["writer"]), number: Number(row?.["number"]) };
};
