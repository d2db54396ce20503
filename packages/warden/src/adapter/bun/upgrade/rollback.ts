/** Restores the copy of the database that an update made before it began. */
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { ReadableDatabase } from "../audit/offline-audit-log.ts";
import { type BackupDisk, createBackupDisk } from "../backup/backup-disk.ts";
import { DATABASE } from "../backup/manifest.ts";
import { openHome } from "../home.ts";
import { copyPath, listCopies, type SchemaCopy } from "../schema-copies.ts";
import { readSqlite } from "../sqlite.ts";
import { countRows, requireDatabase } from "./plan.ts";
import { replaceDatabase } from "./put-back.ts";

export interface RollbackPlan {
  /** The schema of the present database, and that of the copy. */
  readonly from: number;
  readonly to: number;
  /** Absolute path of the copy. */
  readonly copy: string;
  /** The time of the copy, in UTC milliseconds. */
  readonly copiedAt: number;
  /** Counts of the entries that were added after the copy, which a rollback loses. */
  readonly lost: { readonly messages: number; readonly events: number; readonly turns: number };
}

export interface RollbackOptions {
  /** Absolute path of the home. */
  readonly home: string;
  readonly now: () => number;
  readonly disk?: BackupDisk;
}

export interface RollbackReport extends RollbackPlan {
  /** Absolute path of a copy of the database that was replaced. */
  readonly kept: string;
}

/** Changes nothing. Throws `backup.not-found` when there is no copy of an older schema. */
export const planRollback = (home: string): RollbackPlan => {
  requireDatabase(home);
  using currentDatabase = readSqlite(join(home, DATABASE));
  const from = Number(currentDatabase.all("pragma user_version")[0]?.["user_version"]);
  const copy = listCopies(home).find(({ schema }) => schema < from);
  if (copy === undefined) throw noCopyError(home, from);
  using copyDatabase = readSqlite(copy.path);
  const lost = compare(currentDatabase, copyDatabase, copy);
  return { from, to: copy.schema, copy: copy.path, copiedAt: copy.at, lost };
};

/**
 * Throws `home.in-use` while the house runs. After an interruption, the database is either the
 * present one or the copy, and the rollback can be run again.
 */
export const rollBack = async (options: RollbackOptions): Promise<RollbackReport> => {
  const { home, now, disk = createBackupDisk() } = options;
  planRollback(options.home);
  const lockedHome = openHome(home);
  try {
    const plan = planRollback(options.home);
    const keptCopy = copyPath(home, plan.from, now());
    await replaceDatabase({ home, copy: plan.copy, disk, keep: keptCopy });
    return { ...plan, kept: keptCopy };
  } finally {
    lockedHome.release();
  }
};

const noCopyError = (home: string, schema: number): HearthError =>
  new HearthError("backup.not-found", `${home} has no copy of its database from before schema ${schema}.`, {
    hint: "Restore a backup from before the update instead: hearth restore --from DIR --home NEW",
  });

const compare = (current: ReadableDatabase, old: ReadableDatabase, { at }: SchemaCopy): RollbackPlan["lost"] => {
  const heads = (database: ReadableDatabase) =>
    new Map(database.all("select stream, head from heads").map(({ stream, head }) => [String(stream), Number(head)]));
  const copiedHeads = heads(old);
  let events = 0;
  let messages = 0;
  for (const [stream, head] of heads(current)) {
    const copiedHead = copiedHeads.get(stream) ?? 0;
    if (head <= copiedHead) continue;
    events += head - copiedHead;
    const [row] = current.all(
      "select count(*) as count from events where stream = ? and offset > ? and type = 'message'",
      [stream, copiedHead],
    );
    messages += Number(row?.["count"]);
  }
  return { messages, events, turns: countRows(current, `activations where created_at > ${at}`) };
};
