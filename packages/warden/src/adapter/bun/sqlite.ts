/** Implements `SqlDatabase` with bun:sqlite. */
import { HearthError } from "@hearth/protocol";
import { constants, Database, type Statement } from "bun:sqlite";
import { closeSync, existsSync, openSync, statfsSync } from "node:fs";
import { open } from "node:fs/promises";
import { DiskFullError, type SqlDatabase } from "../../kernel/store/database.ts";
import type { Value } from "../../kernel/store/tables/table.ts";

/** Maximum time that a write waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/** SQLite's name for a database in memory. */
const IN_MEMORY = ":memory:";

/**
 * Opens the database file, or creates an empty one that only its owner can read. SQLite's files
 * next to it get the same mode.
 */
export const openSqlite = (path: string): SqlDatabase => {
  const statements = new Map<string, Statement<Record<string, Value>, Value[]>>();
  const database = withStoreErrors(path, () => {
    if (path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
    return new Database(path);
  });

  const prepare = (sql: string): Statement<Record<string, Value>, Value[]> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare<Record<string, Value>, Value[]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };

  const copier = createLogCopier(path);
  /** Whether SQLite can measure the log without copying it. */
  let canMeasureLog: boolean | undefined;

  const sqlDatabase: SqlDatabase = {
    run: (sql, parameters = []) =>
      withStoreErrors(path, () => {
        try {
          prepare(sql).run(...parameters);
          return "done";
        } catch (error) {
          if (CONFLICT.has(codeOf(error))) return "conflict";
          throw error;
        }
      }),
    all: (sql, parameters = []) => withStoreErrors(path, () => prepare(sql).all(...parameters)),
    // The pragma takes effect when it is prepared, so it must not be a cached statement.
    setSync: (mode) =>
      withStoreErrors(path, () => {
        database.run(`pragma synchronous = ${mode}`);
      }),
    freeBytes: () =>
      withStoreErrors(path, () => {
        if (path === IN_MEMORY) return Infinity;
        const { bavail, bsize } = statfsSync(path);
        return bavail * bsize;
      }),
    logPages() {
      try {
        canMeasureLog ??= isAtLeast(
          String(prepare("select sqlite_version() as version").get()?.["version"]),
          MIN_NOOP_VERSION,
        );
        if (!canMeasureLog) return 0;
        const row = prepare("pragma wal_checkpoint(noop)").get();
        return Math.max(0, Number(row?.["log"] ?? 0) - Number(row?.["checkpointed"] ?? 0));
      } catch {
        // The next commit reports a failing disk.
        return 0;
      }
    },
    copyLog: () => (path === IN_MEMORY ? Promise.resolve() : copier.copy()),
    syncLog: () => (path === IN_MEMORY ? Promise.resolve() : syncFile(`${path}-wal`)),
    inTransaction: () => database.inTransaction,
    close() {
      copier.close();
      database.close(true);
    },
  };
  sqlDatabase.all(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return sqlDatabase;
};

/** Reads a database beside its daemon, or after its daemon was killed, and writes no file. */
export const readSqlite = (path: string): Pick<SqlDatabase, "all"> & Disposable => {
  // Without a log no process uses the file. SQLite would create a log to read it.
  const mode = existsSync(`${path}-wal`) ? "mode=ro" : "immutable=1";
  const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?${mode}`;
  const database = withStoreErrors(
    path,
    () => new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI),
  );
  return {
    all: (sql, parameters = []) =>
      withStoreErrors(path, () => database.query<Record<string, Value>, Value[]>(sql).all(...parameters)),
    [Symbol.dispose]: () => database.close(),
  };
};

/** An older SQLite would copy the log instead of only measuring it. */
const MIN_NOOP_VERSION = [3, 51] as const;

const isAtLeast = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

/** Time without a copy after which the thread ends, so that an idle house does not keep its memory. */
const COPY_THREAD_IDLE_MS = 5_000;

interface LogCopier {
  /** Resolves when the copy has ended. After a failure, a later copy or a commit of a long log copies the log. */
  copy(): Promise<void>;
  /** Ends the thread. Copies that wait for it are dropped. */
  close(): void;
}

/** Copies the log on a thread. A busy house keeps the thread, because a new one costs more than a copy. */
const createLogCopier = (path: string): LogCopier => {
  let thread: Worker | undefined;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let lastCopy = Promise.resolve();
  let isClosed = false;
  /** Ends the wait for the present copy. */
  let resolveCopy = (): void => undefined;

  const endThread = (): void => {
    clearTimeout(idleTimer);
    thread?.terminate();
    thread = undefined;
    resolveCopy();
  };

  const copyNow = (): Promise<void> =>
    new Promise((resolve) => {
      if (isClosed) return resolve();
      resolveCopy = resolve;
      clearTimeout(idleTimer);
      const worker = (thread ??= new Worker(new URL("copy-log-thread.ts", import.meta.url), { smol: true }));
      worker.onmessage = () => {
        idleTimer = setTimeout(endThread, COPY_THREAD_IDLE_MS);
        // Neither the timer nor the idle thread keeps the process alive.
        idleTimer.unref();
        worker.unref();
        resolve();
      };
      worker.onerror = endThread;
      worker.ref();
      worker.postMessage(path);
    });

  return {
    copy: () => (lastCopy = lastCopy.then(copyNow)),
    close() {
      isClosed = true;
      endThread();
    },
  };
};

const syncFile = async (path: string): Promise<void> => {
  try {
    await using file = await open(path, "r");
    await file.datasync();
  } catch {
    // There is no log yet, or the disk fails, which the next commit reports.
  }
};

const CONFLICT: ReadonlySet<string> = new Set(["SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"]);
const DISK = /^SQLITE_(IOERR|NOMEM|READONLY|CANTOPEN|PROTOCOL)|^E[A-Z]+$/;

/** Translates failures of the disk into `store.*` errors. */
const withStoreErrors = <Result>(path: string, work: () => Result): Result => {
  try {
    return work();
  } catch (cause) {
    const code = codeOf(cause);
    // An unsupported format in the header has no separate error code.
    if (code === "SQLITE_NOTADB" || String(cause).includes("unsupported file format")) {
      throw new HearthError("store.foreign", `${path} is not a database.`, {
        hint: "If it is the database of this home, its first page is damaged: hearth repair. Otherwise choose another home folder.",
        cause,
      });
    }
    if (code.startsWith("SQLITE_CORRUPT")) {
      throw new HearthError("store.damaged", `The database ${path} is damaged: ${String(cause)}`, {
        hint: "Stop the house, then repair the database: hearth repair. It makes a copy first. Also check the disk for errors.",
        cause,
      });
    }
    if (code.startsWith("SQLITE_BUSY")) {
      throw new HearthError("store.locked", `Another process is writing to ${path}.`, {
        hint: "Stop that process, then try again.",
        cause,
      });
    }
    if (code === "SQLITE_FULL") throw new DiskFullError(`The disk of ${path} is full.`, cause);
    if (DISK.test(code)) {
      throw new HearthError("store.unavailable", `The database ${path} cannot be used: ${String(cause)}`, {
        hint: "Check that the disk has free space and that the home folder is writable.",
        cause,
      });
    }
    throw cause;
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
