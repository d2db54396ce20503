/**
 * Erases old data. The row, steps, outputs and network requests of an activation are erased some
 * time after its end, and inbox messages after the same time. Messages in rooms stay. Rows of other
 * tables are erased as their declarations say. Archives old rows of the audit log, removes unused
 * blobs, and returns free space to the disk. Does not run while the house is on hold after a
 * restore.
 */
import { lazy, type World } from "@hearth/protocol";
import type { Audit } from "../audit/audit.ts";
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Store } from "../store/store.ts";
import type { RetentionSetting } from "../store/tables/table.ts";

export interface Retention {
  /**
   * Erases what is due, in steps. Returns the number of activations and messages. If `signal`
   * aborts, the rest is left to the next sweep.
   */
  sweep(signal?: AbortSignal): Promise<number>;
  /** Removes the blobs of this list to which no row refers. */
  release(blobs: readonly string[]): Promise<void>;
  /** Sweeps periodically until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RetentionTimes {
  /** How long an activation is stored after its end. */
  readonly activationMs: number;
  /** How many days the rows of other tables are kept. */
  readonly days: Readonly<Record<RetentionSetting, number>>;
}

const SWEEP_INTERVAL_MS = 6 * 60 * 60 * 1000;
/** Delay of the first sweep, because a start has more urgent work. */
const FIRST_SWEEP_DELAY_MS = 60_000;
/** Maximum number of activations per commit, so that other commits do not wait long. */
const BATCH = 10;
/** How long rows of the audit log stay in the database. */
const AUDIT_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * Number of pages that are returned to the disk at once. Each may have to be read from the disk.
 */
const FREED_PAGES = 16;
const DAY_MS = 24 * 60 * 60 * 1000;
const POSITION_KEY = { reader: "retention", stream: "activation-log" } as const;

export const createRetention = (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly blobs: Blobs;
  /** Returns the current times. Each sweep calls it. */
  readonly times: () => RetentionTimes;
  /** Erases messages that were handled before `until`. Returns their number. */
  readonly inbox: { sweep(until: number): Promise<number> };
  /** Removes uploads without a message. Returns their blobs. */
  readonly uploads: { sweep(signal?: AbortSignal): Promise<readonly string[]> };
  /** Adds new messages to the full-text index. */
  readonly indexes: { catchUp(signal?: AbortSignal): Promise<void> };
  /** Moves rows of the audit log from before an instant out of the database. */
  readonly audit: Pick<Audit, "archive">;
  /** Erases copies in running turns of texts that were erased meanwhile. */
  readonly traces: { sweep(): Promise<void> };
}): Retention => {
  const { world, log, store, blobs, times, inbox, uploads, indexes, audit, traces } = options;

  // The modules are loaded lazily, because nothing is due when a house starts.
  const blobNames = lazy(() => import("../store/blob-names.ts"));
  const turns = lazy(() => import("./retained-turns.ts"));

  /**
   * Removes blobs to which no row refers. Equal texts share a blob, so a stored input may refer
   * to the blob of a step.
   */
  const removeUnreferenced = async (hashes: readonly string[]): Promise<void> => {
    if (hashes.length === 0) return;
    const { findReferencedBodies, readFrozenText, hashesIn } = await blobNames();
    const referenced = new Set(await findReferencedBodies(store, hashes));
    for (const row of await store.select({ table: "activations", where: { ended_at: null } })) {
      const text = await readFrozenText(blobs, row);
      // The references of a damaged input are unknown, so every blob stays until its activation has
      // ended.
      if (text === undefined && row.frozen_blob !== null) return;
      for (const hash of hashesIn(text ?? "")) referenced.add(hash);
    }
    for (const hash of new Set(hashes)) if (!referenced.has(hash)) await blobs.remove(hash);
  };

  /**
   * Removes the parts of stored inputs that no remaining activation uses, in one pass per sweep.
   */
  const removeUnusedInputBlobs = async (hashes: ReadonlySet<string>): Promise<void> => {
    if (hashes.size === 0) return;
    const { findReferencedBodies, findHashesInInputs } = await blobNames();
    const referenced = new Set([
      ...(await findHashesInInputs({ clock: world.clock, store, blobs }, hashes)),
      ...(await findReferencedBodies(store, hashes)),
    ]);
    for (const hash of hashes) if (!referenced.has(hash)) await blobs.remove(hash);
  };

  const removeOrphaned = async (signal?: AbortSignal): Promise<void> => {
    const { removeOrphans } = await import("./orphaned-blobs.ts");
    const { count, sizeBytes } = await removeOrphans({ clock: world.clock, store, blobs, signal });
    if (count > 0) log.write("info", "removed blobs that nothing names", { count, sizeBytes });
  };

  const pruneOld = async (signal?: AbortSignal): Promise<void> => {
    const { prune } = await import("./prune.ts");
    const since = await (await turns()).findRetainedSince(store);
    const { activationMs, days } = times();
    const oldestOf = (ms: number): number => Math.min(world.clock.now() - ms, since - 1);
    const oldest = {
      // A person may retry a turn while its log is kept, so its deliveries are kept as long.
      deliveryDays: oldestOf(Math.max(days.deliveryDays * DAY_MS, activationMs)),
      jobDays: oldestOf(days.jobDays * DAY_MS),
      usageDays: oldestOf(days.usageDays * DAY_MS),
    };
    const counts = await prune({ clock: world.clock, store, oldest, signal });
    if (Object.keys(counts).length > 0) log.write("info", "deleted rows whose retention time is over", counts);
  };

  /** Erases a few due activations, and records their blobs and the hashes in their inputs. */
  const sweepBatch = async (bodyHashes: Set<string>, inputHashes: Set<string>): Promise<number> => {
    const [position] = await store.select({ table: "readers", where: POSITION_KEY });
    const dueRows = await store.select({
      table: "activations",
      and: [
        { column: "ended_at", is: ">", value: position?.offset ?? 0 },
        { column: "ended_at", is: "<=", value: world.clock.now() - times().activationMs },
      ],
      order: [{ column: "ended_at" }],
      limit: BATCH,
    });
    const lastEndedAt = dueRows.at(-1)?.ended_at;
    if (lastEndedAt === undefined || lastEndedAt === null) return 0;
    // Rows with the same end time are erased together, because the cursor moves past them.
    const tiedRows = await store.select({ table: "activations", where: { ended_at: lastEndedAt } });
    const expired = [...new Map([...dueRows, ...tiedRows].map((row) => [row.id, row])).values()];
    const hosts = expired.filter(({ merged_into: host }) => host === null);
    const removedActivations = [...hosts, ...(await (await turns()).findMergedActivations(store, hosts))];
    const ids = removedActivations.map(({ id }) => id);
    const [steps, files] = await Promise.all([
      store.select({ table: "steps", and: [{ column: "activation", is: "in", value: ids }] }),
      store.select({ table: "step_files", and: [{ column: "activation", is: "in", value: ids }] }),
    ]);
    await store.commit({
      writes: [
        ...ids.map((activation) => ({ kind: "delete", table: "steps", where: { activation } }) as const),
        ...ids.map((activation) => ({ kind: "delete", table: "step_files", where: { activation } }) as const),
        ...ids.map((activation) => ({ kind: "delete", table: "egress", where: { activation } }) as const),
        ...ids.map((activation) => ({ kind: "delete", table: "approvals", where: { activation } }) as const),
        ...ids.map((id) => ({ kind: "delete", table: "activations", where: { id } }) as const),
        { kind: "put", table: "readers", row: { ...POSITION_KEY, offset: lastEndedAt } },
      ],
      // A power cut may lose the erasure. The next sweep then erases these rows again.
      isReproducible: true,
    });
    const { readFrozenText, hashesIn } = await blobNames();
    for (const row of removedActivations)
      for (const hash of hashesIn((await readFrozenText(blobs, row)) ?? "")) inputHashes.add(hash);
    for (const { output_blob: blob } of steps) if (blob !== null) bodyHashes.add(blob);
    for (const { blob } of files) bodyHashes.add(blob);
    for (const { frozen_blob: blob } of removedActivations) if (blob !== null) bodyHashes.add(blob);
    return expired.length;
  };

  /** Erases due activations, then their blobs. */
  const sweepActivations = async (signal?: AbortSignal): Promise<number> => {
    let count = 0;
    const bodyHashes = new Set<string>();
    const inputHashes = new Set<string>();
    for (
      let erasedCount = await sweepBatch(bodyHashes, inputHashes);
      erasedCount > 0;
      erasedCount = await sweepBatch(bodyHashes, inputHashes)
    ) {
      count += erasedCount;
      await waitForOtherWork(options);
      if (signal?.aborted === true) break;
    }
    if (count === 0) return 0;
    // A blob is removed when no power cut can bring its row back. This commit makes the earlier
    // ones durable.
    const [positionRow] = await store.select({ table: "readers", where: POSITION_KEY });
    await store.commit({
      writes: positionRow === undefined ? [] : [{ kind: "put", table: "readers", row: positionRow }],
    });
    await removeUnreferenced([...bodyHashes]);
    await removeUnusedInputBlobs(inputHashes);
    return count;
  };

  const sweep = async (signal?: AbortSignal): Promise<number> => {
    await traces.sweep();
    let count = await sweepActivations(signal);
    count += await inbox.sweep(world.clock.now() - times().activationMs);
    if (count > 0) log.write("info", "erased old activations and inbox messages", { count });
    await pruneOld(signal);
    const archived = await audit.archive(world.clock.now() - AUDIT_RETENTION_MS, signal);
    if (archived > 0) log.write("info", "archived old rows of the audit log", { count: archived });
    await removeUnreferenced(await uploads.sweep(signal));
    if (signal?.aborted !== true) await removeOrphaned(signal);
    await indexes.catchUp(signal);
    await returnSpace(options, signal);
    return count;
  };

  return {
    sweep,
    release: removeUnreferenced,
    async run(signal) {
      await world.clock.sleep(FIRST_SWEEP_DELAY_MS, signal);
      while (!signal.aborted) {
        try {
          await sweep(signal);
        } catch (error) {
          log.write("warn", "cannot erase old activations; will try again", { error });
        }
        await world.clock.sleep(SWEEP_INTERVAL_MS, signal);
      }
    },
  };
};

const returnSpace = async (options: Pacing, signal: AbortSignal | undefined): Promise<void> => {
  for (let remaining = 1; remaining > 0 && signal?.aborted !== true;) {
    remaining = await options.store.shrink(FREED_PAGES);
    await waitForOtherWork(options);
  }
};

/** Lets other work run, and the store keep up. */
const waitForOtherWork = async ({ world, store }: Pacing): Promise<void> => {
  await world.clock.turn();
  await store.waitUntilIdle();
};

interface Pacing {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
}
