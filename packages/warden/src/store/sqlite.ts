/**
 * The store on SQLite. Commits queue up; one flush takes what is there and gives it one transaction, with a savepoint each,
 * so that changes that arrive together share one fsync.
 */
import { type Clock, HearthError, isHearthError } from "@hearth/protocol";
import type { SqlDatabase } from "./database.ts";
import { prepareSchema } from "./schema.ts";
import { existsSql, selectSql, type Sql, writeSql } from "./sql.ts";
import type { Append, Appended, Change, CommitResult, Guard, Query, Store } from "./store.ts";
import type { Row, TableName } from "./tables.ts";

/** Changes of one transaction at most, so that a burst does not hold up everything else. */
const MAX_GROUP = 256;

interface Queued {
  readonly change: Change;
  resolve(result: CommitResult): void;
  reject(error: unknown): void;
}

/** Takes the database over and closes it with the store. Throws `store.foreign` if it is not ours. */
export const createSqliteStore = async (options: {
  readonly database: SqlDatabase;
  readonly clock: Pick<Clock, "turn">;
}): Promise<Store> => {
  const { database, clock } = options;
  try {
    await prepareSchema(database);
    configure(database);
  } catch (error) {
    database.close();
    throw error;
  }

  let queue: Queued[] = [];
  let flushing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const flush = (): void => {
    const group = queue.slice(0, MAX_GROUP);
    queue = queue.slice(MAX_GROUP);
    try {
      if (database.inTransaction()) database.run("rollback");
      database.run("begin immediate");
      const settle = group.map((queued) => attempt(database, queued));
      database.run("commit");
      for (const one of settle) one();
    } catch (error) {
      try {
        if (database.inTransaction()) database.run("rollback");
      } catch {
        // The disk that refused the commit may refuse this too. The next flush tries again before it begins.
      }
      for (const { reject } of group) reject(error);
    }
  };

  const flushAll = async (): Promise<void> => {
    while (queue.length > 0) {
      await clock.turn();
      flush();
    }
    flushing = undefined;
  };

  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        if (closing !== undefined) return reject(closed());
        queue.push({ change, resolve, reject });
        flushing ??= flushAll();
      }),
    select<Table extends TableName>(query: Query<Table>) {
      return new Promise<readonly Row<Table>[]>((resolve, reject) => {
        if (closing !== undefined) return reject(closed());
        resolve(all(database, selectSql(query)) as unknown as readonly Row<Table>[]);
      });
    },
    [Symbol.asyncDispose]: () => (closing ??= Promise.resolve(flushing).then(() => database.close())),
  };
};

const closed = (): HearthError => new HearthError("house.closing", "The store is closed.");

const configure = (database: SqlDatabase): void => {
  // A commit is on the disk, WAL and all, when it returns.
  database.all("pragma journal_mode = wal");
  database.all("pragma synchronous = full");
  database.all("pragma foreign_keys = on");
  database.all("pragma temp_store = memory");
  // KiB.
  database.all("pragma cache_size = -8192");
};

/** Applies one change in a savepoint of its own. What is returned tells its caller, once the transaction is durable. */
const attempt = (database: SqlDatabase, { change, resolve, reject }: Queued): (() => void) => {
  database.run("savepoint change");
  try {
    const result = apply(database, change);
    if (result.kind !== "committed") database.run("rollback to change");
    database.run("release change");
    return () => resolve(result);
  } catch (error) {
    // A failing disk fails the whole group; anything else is about this change alone.
    if (isHearthError(error) || !database.inTransaction()) throw error;
    database.run("rollback to change");
    database.run("release change");
    return () => reject(error);
  }
};

const apply = (database: SqlDatabase, change: Change): CommitResult => {
  const guard = (change.guards ?? []).findIndex((one) => !holds(database, one));
  if (guard >= 0) return { kind: "refused", guard };
  const appended: Appended[] = [];
  for (const write of change.writes) {
    if (write.kind === "append") appended.push(append(database, write));
    else if (write.kind !== "update" || Object.keys(write.set).length > 0) {
      const { text, parameters } = writeSql(write);
      if (database.run(text, parameters) === "conflict") return { kind: "conflict", table: write.table };
    }
  }
  return { kind: "committed", appended };
};

const holds = (database: SqlDatabase, guard: Guard): boolean => {
  if (guard.kind !== "head")
    return all(database, existsSql(guard.table, guard.where)).length > 0 === (guard.kind === "exists");
  const [row] = database.all("select head from heads where stream = ?", [guard.stream]);
  return (row?.["head"] ?? 0) === guard.offset;
};

const append = (database: SqlDatabase, { stream, event }: Append): Appended => {
  const [head] = database.all(
    "insert into heads (stream, head) values (?, 1) on conflict (stream) do update set head = head + 1 returning head",
    [stream],
  );
  const written = database.run(
    "insert into events (stream, offset, id, type, at, body, blob) values (?, ?, ?, ?, ?, ?, ?)",
    [stream, Number(head?.["head"]), event.id, event.type, event.at, event.body, event.blob],
  );
  if (written === "done") return { kind: "appended", stream, id: event.id, offset: Number(head?.["head"]) };
  database.run("update heads set head = head - 1 where stream = ?", [stream]);
  const [known] = database.all("select offset from events where stream = ? and id = ?", [stream, event.id]);
  return { kind: "duplicate", stream, id: event.id, offset: Number(known?.["offset"]) };
};

const all = (database: SqlDatabase, { text, parameters }: Sql): readonly Readonly<Record<string, unknown>>[] =>
  database.all(text, parameters);
