/**
 * Updates the database of a home whose house does not run: copies it, runs the missing steps in one
 * transaction, and checks the result. A result that fails the check is replaced by the copy.
 */
import { join } from "node:path";
import { type Check, HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { prepareSchema } from "../../../kernel/store/schema.ts";
import type { ReadableDatabase } from "../audit/offline-audit-log.ts";
import { createBackupDisk } from "../backup/backup-disk.ts";
import { DATABASE } from "../backup/manifest.ts";
import { openHome } from "../home.ts";
import { copyBeforeUpdate } from "../schema-copies.ts";
import { openSqlite } from "../sqlite.ts";
import { checkPages, checkStreams } from "../storage/examine.ts";
import { type PlanOptions, planUpgrade, type UpgradePlan } from "./plan.ts";
import { replaceDatabase } from "./put-back.ts";

export interface UpgradeOptions extends PlanOptions {
  readonly now: () => number;
  /** Opens the database. Default: `openSqlite`. Tests pass one that fails at a chosen statement. */
  readonly open?: (path: string) => SqlDatabase;
}

export interface UpgradeReport {
  readonly from: number;
  readonly to: number;
  /** Absolute path of the copy that was made before the update. Null: the database was up to date. */
  readonly copy: string | null;
  /** The checks of the result. */
  readonly checks: readonly Check[];
  readonly openTurns: number;
}

/**
 * Idempotent. Throws `home.in-use` while the house runs, and `store.unavailable` with the reasons
 * when the plan has problems. A failure leaves the database unchanged.
 */
export const upgradeHome = async (options: UpgradeOptions): Promise<UpgradeReport> => {
  const { open = openSqlite } = options;
  // Reports a missing database before the lock creates folders.
  planUpgrade(options);
  const home = openHome(options.home);
  try {
    const plan = planUpgrade(options);
    requireFeasible(plan);
    if (plan.steps.length === 0)
      return { from: plan.from, to: plan.to, copy: null, checks: [], openTurns: plan.openTurns };
    const database = open(join(options.home, DATABASE));
    let result: UpdateResult;
    try {
      result = await update(database, options);
    } finally {
      database.close();
    }
    const failedChecks = result.checks.filter(({ ok }) => !ok);
    if (failedChecks.length > 0) {
      await replaceDatabase({ home: options.home, copy: result.copy, disk: createBackupDisk() });
      throw failedCheckError(failedChecks);
    }
    const { copy, checks } = result;
    return { from: plan.from, to: plan.to, copy, checks, openTurns: plan.openTurns };
  } finally {
    home.release();
  }
};

const requireFeasible = ({ problems }: UpgradePlan): void => {
  if (problems.length === 0) return;
  throw new HearthError("store.unavailable", `The database cannot be updated: ${problems.join("; ")}.`, {
    hint: "Nothing was changed. Fix this, then try again: hearth upgrade --check",
  });
};

const failedCheckError = (failedChecks: readonly Check[]): HearthError => {
  const details = failedChecks.map(({ name, detail }) => `${name}: ${detail}`).join("; ");
  return new HearthError(
    "store.damaged",
    `The updated database failed its check, and was replaced by the copy: ${details}`,
    {
      hint: "Use the earlier version of Hearth, and report this as a bug.",
    },
  );
};

interface UpdateResult {
  readonly copy: string;
  readonly checks: readonly Check[];
}

const update = async (database: SqlDatabase, { home, steps, now }: UpgradeOptions): Promise<UpdateResult> => {
  const before = { streams: checkStreams(database), counts: countContents(database) };
  let copy = "";
  await prepareSchema(database, steps, (version) => {
    copy = copyBeforeUpdate(database, { home, version, now: now() });
  });
  const after = countContents(database);
  const checks = [
    checkPages(database, false),
    // If the streams had gaps before the update, the update is not to blame for them.
    ...(before.streams.ok ? [checkStreams(database)] : []),
    ...toContentsCheck(before.counts, after),
  ];
  return { copy, checks };
};

/** Counts that no update changes. */
const countContents = (database: ReadableDatabase): Readonly<Record<string, number>> => {
  const [row] = database.all(
    "select (select count(*) from events) as events, (select count(*) from records) as records, " +
      "(select count(*) from activations) as turns, (select count(*) from steps) as steps",
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
};

const toContentsCheck = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): readonly Check[] => {
  const changedNames = Object.keys(before).filter((name) => before[name] !== after[name]);
  const list = (names: readonly string[], counts: typeof before): string =>
    names.map((name) => `${counts[name]} ${name}`).join(", ");
  return [
    changedNames.length === 0
      ? { name: "contents", ok: true, detail: `all are there: ${list(Object.keys(before), before)}` }
      : {
          name: "contents",
          ok: false,
          detail: `${list(changedNames, before)} before, ${list(changedNames, after)} after`,
        },
  ];
};
