/** Finds out what an update of a home's database would do, and whether it can be done. */
import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { HearthError, isHearthError } from "@hearth/protocol";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import type { SchemaStep } from "../../../kernel/store/migrations/step.ts";
import { readSchemaVersion } from "../../../kernel/store/schema.ts";
import type { ReadableDatabase } from "../audit/offline-audit-log.ts";
import { DATABASE } from "../backup/manifest.ts";
import { checkGeneration } from "../generation.ts";
import { RESTORING } from "../home.ts";
import { neededBytesOf, sizeOf } from "../schema-copies.ts";
import { readSqlite } from "../sqlite.ts";
import { checkPages } from "../storage/examine.ts";

export interface UpgradePlan {
  /** The schema of the database, and that of this Hearth. */
  readonly from: number;
  readonly to: number;
  /** Names of the missing steps. */
  readonly steps: readonly string[];
  /** The size of the copy that is made first. */
  readonly copyBytes: number;
  /** Free space that the copy and the update need, and that the disk has. */
  readonly neededBytes: number;
  readonly freeBytes: number;
  /** The time of the copy and the update, estimated from that of reading the database once. */
  readonly estimatedMs: number;
  /** Turns that have not ended. They resume after the update. */
  readonly openTurns: number;
  /** The reasons why the update cannot be done. Empty if it can be done. */
  readonly problems: readonly string[];
}

export interface PlanOptions {
  /** Absolute path of the home. */
  readonly home: string;
  readonly steps?: readonly SchemaStep[];
}

/** The copy is read and written, and the update may write every table twice. */
const DURATION_FACTOR = 4;

/**
 * Plans the update. It changes nothing, and the house may run. Throws `store.foreign` for a
 * database of a newer Hearth, and `store.damaged` for one that cannot be read.
 */
export const planUpgrade = ({ home, steps = migrations }: PlanOptions): UpgradePlan => {
  requireDatabase(home);
  using database = readSqlite(join(home, DATABASE));
  const from = readSchemaVersion(database, steps.length);
  const missingSteps = steps.slice(from).map(({ name }) => name);
  const startedAt = performance.now();
  const pages = checkPages(database, false);
  const estimatedMs = missingSteps.length === 0 ? 0 : Math.ceil((performance.now() - startedAt) * DURATION_FACTOR);
  const neededBytes = missingSteps.length === 0 ? 0 : neededBytesOf(database);
  const { bavail, bsize } = statfsSync(home);
  const freeBytes = bavail * bsize;
  return {
    from,
    to: steps.length,
    steps: missingSteps,
    copyBytes: missingSteps.length === 0 ? 0 : sizeOf(database),
    neededBytes,
    freeBytes,
    estimatedMs,
    openTurns: countRows(database, "activations where ended_at is null"),
    problems: [
      ...(pages.ok ? [] : [`${pages.detail}. ${pages.fix ?? ""}`.trim()]),
      ...logProblems(join(home, DATABASE)),
      ...(freeBytes < neededBytes
        ? [`the disk has ${toMib(freeBytes)} MiB free and needs ${toMib(neededBytes)} MiB`]
        : []),
    ],
  };
};

/** Throws `store.unavailable` without a database, and `home.foreign` after an interrupted restore. */
export const requireDatabase = (home: string): void => {
  if (existsSync(join(home, RESTORING)))
    throw new HearthError("home.foreign", `The restore or import into ${home} was interrupted.`, {
      hint: "Run it again: hearth restore --from DIR, or hearth import hearth DIR",
    });
  if (!existsSync(join(home, DATABASE)))
    throw new HearthError("store.unavailable", `${home} has no ${DATABASE}.`, {
      hint: "Give the home folder: --home DIR",
    });
};

const logProblems = (path: string): readonly string[] => {
  try {
    checkGeneration(path);
    return [];
  } catch (error) {
    if (isHearthError(error, "store.foreign")) return [error.message];
    throw error;
  }
};

/** Counts rows. `rows` is the part of the query that follows `from`. */
export const countRows = (database: ReadableDatabase, rows: string): number =>
  Number(database.all(`select count(*) as count from ${rows}`)[0]?.["count"]);

const MIB = 1024 * 1024;
const toMib = (bytes: number): number => Math.ceil(bytes / MIB);
