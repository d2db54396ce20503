/**
 * The store on SQLite. Commits wait in a queue. A flush writes all queued commits in one
 * transaction, so that concurrent changes share one fsync.
 */
import { type Clock, type Durability, HearthError, isHearthError, lazy, lazyMethods } from "@hearth/protocol";
import { createCommitMarks, UnknownOutcomeError, type Witness } from "./commit-marks.ts";
import type { SqlDatabase } from "./database.ts";
import { prepareSchema } from "./schema.ts";
import type { Sealer } from "./seal.ts";
import { createSealing, type Sealing } from "./sealing.ts";
import type { TextsHost } from "./sqlite-texts.ts";
import { existsSql, selectSql, type Sql, writeSql } from "./sql.ts";
import type { AppendWrite, Appended, Change, CommitResult, Guard, Query, Store } from "./store.ts";
import type { Row, TableName } from "./tables/tables.ts";

/**
 * Maximum number of changes per transaction, so that many changes at once do not block other work.
 */
const MAX_GROUP = 256;
/**
 * Size of the write-ahead log, in pages, at which it is copied to the database file on another
 * thread. Most of its pages are versions of the same pages.
 */
const LOG_COPY_PAGES = 2000;
/**
 * Size of the log, in pages, at which a commit copies it itself because no thread could. After a
 * kill, a start reads the log once, which has at most 32 MiB.
 */
const CHECKPOINT_PAGES = 8000;
/** Maximum time that a commit with `mayWait` waits for another commit. */
const MAX_BATCH_WAIT_MS = 5;

interface QueuedChange {
  readonly change: Change;
  readonly isReproducible: boolean;
  resolve(result: CommitResult): void;
  reject(error: unknown): void;
}

/**
 * Creates the store. It owns the database and closes it with the store. Throws `store.foreign` if
 * it is not a Hearth database.
 */
export const createSqliteStore = async (options: {
  readonly database: SqlDatabase;
  readonly clock: Pick<Clock, "turn" | "sleep">;
  /** The durability. The default is the safest, so that an omission cannot lose messages. */
  readonly durability?: Exclude<Durability, "none">;
  /** Seals events. Absent if no event is sealed. */
  readonly sealer?: Sealer;
  /** Copies an older database before a migration changes it. Default: no copy is made. */
  readonly copy?: (version: number) => void | Promise<void>;
  /**
   * Called when a commit failed and it is unknown whether it was applied. From then on the store
   * rejects every call. The daemon must end at once: its next start reads what the database
   * contains.
   */
  readonly onUnknownOutcome?: (error: HearthError) => void;
}): Promise<Store> => {
  const { database, clock, durability = "power" } = options;
  try {
    await prepareSchema(database, undefined, options.copy);
    configure(database, durability);
  } catch (error) {
    database.close();
    throw error;
  }

  const marks = createCommitMarks(database);
  const sealing = createSealing(database, options.sealer);
  let queue: QueuedChange[] = [];
  let flushing: Promise<void> | undefined;
  /** Whether a flush is already scheduled. */
  let isFlushScheduled = false;
  let closing: Promise<void> | undefined;
  let mode = SYNCHRONOUS[durability];
  /** The copy of the log in progress. */
  let copying: Promise<void> | undefined;
  /** Whether the last commit was written to the disk before it resolved. */
  let isSynced = true;
  /** Set when the database's content is unknown. */
  let fenced: UnknownOutcomeError | undefined;

  /** Uses the weakest sync that the group allows. */
  const setSync = (neededMode: typeof mode): void => {
    if (neededMode === mode) return;
    database.setSync(neededMode);
    mode = neededMode;
  };

  /** Records whether a transaction is synced, and copies a long log. Called after each transaction. */
  const afterTransaction = (): void => {
    isSynced = mode === "full";
    copyLongLog();
  };

  const flush = (): void => {
    const group = queue.slice(0, MAX_GROUP);
    queue = queue.slice(MAX_GROUP);
    try {
      if (database.inTransaction()) database.run("rollback");
      setSync(group.every(({ isReproducible }) => isReproducible) ? "normal" : SYNCHRONOUS[durability]);
      database.run("begin immediate");
      const attempts = attemptGroup(database, sealing, group);
      if (attempts.some(({ isWritten }) => isWritten)) marks.commit(witnessOf(group, attempts));
      else if (database.inTransaction()) database.run("commit");
      for (const { settle } of attempts) settle();
    } catch (error) {
      sealing.forget();
      if (error instanceof UnknownOutcomeError) return fence(error, group);
      try {
        if (database.inTransaction()) database.run("rollback");
      } catch {
        // If a disk refused the commit, it may refuse the rollback too. The next flush tries again
        // before it begins.
      }
      for (const { reject } of group) reject(error);
    }
  };

  const copyLongLog = (): void => {
    if (copying !== undefined || closing !== undefined || fenced !== undefined) return;
    if (database.logPages() < LOG_COPY_PAGES) return;
    copying = database.copyLog().finally(() => {
      copying = undefined;
    });
  };

  /**
   * Stops the store. No change may follow a commit whose outcome is unknown, so no commit is made
   * and no row is read.
   */
  const fence = (error: UnknownOutcomeError, group: readonly QueuedChange[]): void => {
    fenced = error;
    options.onUnknownOutcome?.(error);
    for (const { reject } of [...group, ...queue.splice(0)]) reject(error);
  };

  const flushAll = async (): Promise<void> => {
    while (queue.length > 0) {
      await clock.turn();
      flush();
      afterTransaction();
    }
    flushing = undefined;
  };

  const scheduleFlush = (): void => {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    const flushNow = (): void => {
      isFlushScheduled = false;
      if (queue.length > 0) flushing ??= flushAll();
    };
    clock.sleep(MAX_BATCH_WAIT_MS).then(flushNow, flushNow);
  };

  const close = async (): Promise<void> => {
    if (queue.length > 0) flushing ??= flushAll();
    await flushing;
    await copying;
    database.close();
  };

  const beforeUse = (use: "read" | "write"): void => {
    if (fenced !== undefined || closing !== undefined) throw fenced ?? closedError();
    if (database.inTransaction()) database.run("rollback");
    // The index can be written again from the events.
    if (use === "write") setSync("normal");
  };

  return {
    traits: { durability },
    ...createLazyIndexes(database, { beforeUse, afterWrite: afterTransaction }),
    commit: ({ mayWait, isReproducible, ...change }) =>
      new Promise((resolve, reject) => {
        if (fenced !== undefined || closing !== undefined) return reject(fenced ?? closedError());
        queue.push({ change, isReproducible: isReproducible === true, resolve, reject });
        if (mayWait === true) scheduleFlush();
        else flushing ??= flushAll();
      }),
    select<Table extends TableName>(query: Query<Table>) {
      return new Promise<readonly Row<Table>[]>((resolve, reject) => {
        if (fenced !== undefined || closing !== undefined) return reject(fenced ?? closedError());
        // A failed rollback may have left a transaction open. Its changes were never committed and
        // must not be visible.
        if (database.inTransaction()) database.run("rollback");
        resolve(selectAll(database, selectSql(query)) as unknown as readonly Row<Table>[]);
      });
    },
    freeBytes: () =>
      new Promise((resolve, reject) => {
        if (fenced !== undefined || closing !== undefined) return reject(fenced ?? closedError());
        resolve(database.freeBytes());
      }),
    async scrub() {
      // Two copies at the same time would wait for each other.
      await copying;
      if (fenced !== undefined || closing !== undefined) throw fenced ?? closedError();
      if (database.inTransaction()) database.run("rollback");
      // The pages were overwritten in place, but the WAL still contains the old ones until a
      // checkpoint truncates it.
      const [row] = database.all("pragma wal_checkpoint(truncate)");
      if (row?.["busy"] !== 0) throw lockedError();
    },
    shrink: (pages) =>
      new Promise((resolve, reject) => {
        if (fenced !== undefined || closing !== undefined) return reject(fenced ?? closedError());
        if (database.inTransaction()) database.run("rollback");
        // This moves pages and changes no row, so a power cut may undo it.
        setSync("normal");
        const freePages = shrink(database, pages);
        afterTransaction();
        resolve(freePages);
      }),
    async waitUntilIdle() {
      await copying;
      if (isSynced) return;
      isSynced = true;
      await database.syncLog();
    },
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
};

/**
 * Shrinks the file. An older file without `auto_vacuum` uses its free pages again and keeps its
 * size.
 */
const shrink = (database: SqlDatabase, pages: number): number => {
  if (pragmaOf(database, "auto_vacuum") !== INCREMENTAL) return 0;
  database.all(`pragma incremental_vacuum(${Math.trunc(pages)})`);
  return pragmaOf(database, "freelist_count");
};

const INCREMENTAL = 2;

const pragmaOf = (database: SqlDatabase, name: string): number =>
  Number(database.all(`pragma ${name}`)[0]?.[name] ?? 0);

const lockedError = (): HearthError =>
  new HearthError(
    "store.locked",
    "Another process reads the database, so erased data is still in its write-ahead log.",
    {
      hint: "End that process, then try again.",
    },
  );

const closedError = (): HearthError => new HearthError("house.closing", "The store is closed.");

/**
 * `full` syncs the WAL at every commit. `normal` syncs only around checkpoints: a power cut loses
 * the last commits as a whole but damages nothing, which `off` could.
 */
const SYNCHRONOUS: Readonly<Record<Exclude<Durability, "none">, "full" | "normal">> = {
  power: "full",
  process: "normal",
};

const configure = (database: SqlDatabase, durability: Exclude<Durability, "none">): void => {
  database.all("pragma journal_mode = wal");
  database.setSync(SYNCHRONOUS[durability]);
  // Overwrites erased data instead of leaving its bytes in the file.
  database.all("pragma secure_delete = on");
  database.all("pragma foreign_keys = on");
  database.all("pragma temp_store = memory");
  // KiB.
  database.all("pragma cache_size = -8192");
  database.all(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
};

interface ChangeAttempt {
  /** Whether the change is part of the open transaction. */
  readonly isWritten: boolean;
  /** The last event that the change appended. */
  readonly witness?: Witness | undefined;
  /** Reports the result to the caller. Called when the transaction is durable. */
  settle(): void;
}

/**
 * Applies the changes without savepoints, which would copy every page that they touch. If a change
 * conflicts or fails, the transaction begins again with a savepoint for each change.
 */
const attemptGroup = (
  database: SqlDatabase,
  sealing: Sealing,
  group: readonly QueuedChange[],
): readonly ChangeAttempt[] => {
  const [firstChange, ...otherChanges] = group;
  if (firstChange !== undefined && otherChanges.length === 0) return [attemptAlone(database, sealing, firstChange)];
  const attempts = attemptTogether(database, sealing, group);
  if (attempts !== undefined) return attempts;
  sealing.forget();
  database.run("rollback");
  database.run("begin immediate");
  return group.map((queued) => attempt(database, sealing, queued));
};

/** Returns undefined if a change must be undone, and throws if the disk failed. */
const attemptTogether = (
  database: SqlDatabase,
  sealing: Sealing,
  group: readonly QueuedChange[],
): readonly ChangeAttempt[] | undefined => {
  const attempts: ChangeAttempt[] = [];
  for (const { change, resolve } of group) {
    try {
      const result = apply(database, sealing, change);
      if (result.kind === "conflict") return undefined;
      attempts.push({
        isWritten: result.kind === "committed",
        witness: findLastAppended(result),
        settle: () => resolve(result),
      });
    } catch (error) {
      if (isHearthError(error) || !database.inTransaction()) throw error;
      return undefined;
    }
  }
  return attempts;
};

/** Applies one change in its own savepoint. */
const attempt = (database: SqlDatabase, sealing: Sealing, { change, resolve, reject }: QueuedChange): ChangeAttempt => {
  database.run("savepoint change");
  try {
    const result = apply(database, sealing, change);
    if (result.kind !== "committed") {
      sealing.forget();
      database.run("rollback to change");
    }
    database.run("release change");
    return { isWritten: result.kind === "committed", witness: findLastAppended(result), settle: () => resolve(result) };
  } catch (error) {
    // A failure of the disk fails the whole group. Any other error belongs to this change alone.
    if (isHearthError(error) || !database.inTransaction()) throw error;
    sealing.forget();
    database.run("rollback to change");
    database.run("release change");
    return { isWritten: false, settle: () => reject(error) };
  }
};

/** Applies the only change of a transaction, which needs no savepoint. */
const attemptAlone: typeof attempt = (database, sealing, { change, resolve, reject }) => {
  try {
    const result = apply(database, sealing, change);
    if (result.kind !== "committed") {
      sealing.forget();
      database.run("rollback");
    }
    return { isWritten: result.kind === "committed", witness: findLastAppended(result), settle: () => resolve(result) };
  } catch (error) {
    if (isHearthError(error) || !database.inTransaction()) throw error;
    sealing.forget();
    database.run("rollback");
    return { isWritten: false, settle: () => reject(error) };
  }
};

const findLastAppended = (result: CommitResult): Witness | undefined =>
  result.kind === "committed" ? result.appended.findLast(({ kind }) => kind === "appended") : undefined;

/**
 * Returns an event by which the transaction can be recognised, or undefined if it has none or
 * removes events.
 */
const witnessOf = (group: readonly QueuedChange[], attempts: readonly ChangeAttempt[]): Witness | undefined => {
  const isRemoving = group.some(({ change }) =>
    change.writes.some((write) => write.kind === "delete" && write.table === "events"),
  );
  return isRemoving ? undefined : attempts.findLast(({ witness }) => witness !== undefined)?.witness;
};

const apply = (database: SqlDatabase, sealing: Sealing, change: Change): CommitResult => {
  const failedGuard = (change.guards ?? []).find((guard) => !isGuardMet(database, guard));
  if (failedGuard !== undefined) return { kind: "refused", guard: failedGuard.name };
  const appended: Appended[] = [];
  for (const write of change.writes) {
    if (write.kind === "append") appended.push(append(database, sealing, write));
    else if (write.kind !== "update" || Object.keys(write.set).length > 0) {
      const { text, parameters } = writeSql(write);
      if (database.run(text, parameters) === "conflict") return { kind: "conflict", table: write.table };
      if (write.table === "events" && write.kind === "delete") {
        sealing.forget();
        database.run("delete from heads where stream = ?", [write.where.stream]);
      }
    }
  }
  return { kind: "committed", appended };
};

const isGuardMet = (database: SqlDatabase, guard: Guard): boolean => {
  if (guard.kind !== "head")
    return selectAll(database, existsSql(guard.table, guard.where)).length > 0 === (guard.kind === "exists");
  const [row] = database.all("select head from heads where stream = ?", [guard.stream]);
  return (row?.["head"] ?? 0) === guard.offset;
};

const append = (database: SqlDatabase, sealing: Sealing, write: AppendWrite): Appended => {
  const { stream, event } = write;
  const [head] = database.all(
    "insert into heads (stream, head) values (?, 1) on conflict (stream) do update set head = head + 1 returning head",
    [stream],
  );
  const offset = Number(head?.["head"]);
  const seal = sealing.sealOf(write, offset);
  const outcome = database.run(
    "insert into events (stream, offset, id, type, at, body, blob, labels, seal) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [stream, offset, event.id, event.type, event.at, event.body, event.blob, event.labels, seal],
  );
  if (outcome === "done") {
    if (seal === null) return { kind: "appended", stream, id: event.id, offset };
    sealing.record(stream, offset, seal);
    return { kind: "appended", stream, id: event.id, offset, seal };
  }
  database.run("update heads set head = head - 1 where stream = ?", [stream]);
  const [existingEvent] = database.all("select offset from events where stream = ? and id = ?", [stream, event.id]);
  return { kind: "duplicate", stream, id: event.id, offset: Number(existingEvent?.["offset"]) };
};

const selectAll = (database: SqlDatabase, { text, parameters }: Sql): readonly Readonly<Record<string, unknown>>[] =>
  database.all(text, parameters);

/** The indexes are loaded at the first search, because a start does not search. */
const createLazyIndexes = (database: SqlDatabase, host: TextsHost): Pick<Store, "texts" | "passages"> => {
  const texts = lazy(async () => (await import("./sqlite-texts.ts")).createSqliteTexts(database, host));
  const passages = lazy(async () => (await import("./sqlite-passages.ts")).createSqlitePassages(database, host));
  return {
    texts: lazyMethods(texts, ["pending", "write", "find"]),
    passages: lazyMethods(passages, ["rooms", "pending", "write", "find", "rank"]),
  };
};
