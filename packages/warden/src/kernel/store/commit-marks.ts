/**
 * Tells whether a commit that failed was applied. Each transaction writes its number into one row; after a failed commit the row says
 * whether the transaction is there.
 */
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";

export interface CommitMarks {
  /**
   * Marks the open transaction and commits it. Throws the error of the disk when it is certain that nothing was applied, and `UnknownOutcome` when
   * that cannot be found out.
   */
  commit(): void;
}

/** Nobody can tell whether a commit was applied: the next start reads it from the database. */
export class UnknownOutcome extends HearthError {
  constructor(cause: unknown) {
    super(
      "store.unavailable",
      "The disk failed during a commit, and Hearth cannot tell whether the commit was applied.",
      {
        hint: "Check the disk, then start Hearth again: it goes on from what the database holds.",
        cause,
      },
    );
  }
}

interface Mark {
  readonly writer: string;
  readonly number: number;
}

/** Each open store has a writer id of its own, so that it never takes the mark of another process for its own. */
export const createCommitMarks = (database: SqlDatabase): CommitMarks => {
  const [random] = database.all("select hex(randomblob(16)) as writer");
  const writer = String(random?.["writer"]);
  let number = 0;
  /** What the row held when it was read or written last. */
  let last = readMark(database);

  const isApplied = (): boolean => {
    const mark = readMark(database);
    if (mark.writer === writer && mark.number === number) return true;
    // Without another process the row is as it was before.
    if (mark.writer === last.writer && mark.number === last.number) return false;
    throw new Error(`another store has written since: ${mark.writer}`);
  };

  /** The sync of the log may be what failed. A checkpoint writes the same pages to the database file, and syncs that. */
  const makeDurable = (): void => {
    const [row] = database.all("pragma wal_checkpoint(full)");
    if (row?.["busy"] !== 0) throw new Error("the checkpoint did not finish");
  };

  /** Returns where the transaction is durable all the same. */
  const resolve = (failure: unknown): void => {
    // SQLite has kept the transaction open: it is not applied.
    if (database.inTransaction()) throw failure;
    let applied: boolean;
    try {
      applied = isApplied();
      if (applied) makeDurable();
    } catch {
      throw new UnknownOutcome(failure);
    }
    if (!applied) throw failure;
  };

  return {
    commit() {
      number += 1;
      database.run("update commit_marks set writer = ?, number = ? where id = 1", [writer, number]);
      try {
        database.run("commit");
      } catch (error) {
        resolve(error);
      }
      last = { writer, number };
    },
  };
};

const readMark = (database: SqlDatabase): Mark => {
  const [row] = database.all("select * from commit_marks where id = 1");
  return { writer: String(row?.["writer"]), number: Number(row?.["number"]) };
};
