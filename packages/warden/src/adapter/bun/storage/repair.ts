/** Repairs the database of a stopped home: keeps readable rows, and replaces lost events. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { HearthError, isHearthError, type RepairReport } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { prepareSchema } from "../../../kernel/store/schema.ts";
import { openHome } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import { createBunWorld } from "../world.ts";
import { countStreams } from "./examine.ts";
import { type Salvaged, salvage } from "./salvage.ts";

const FILES = ["hearth.db", "hearth.db-wal"] as const;

/**
 * Repairs the home. A second call changes nothing. Throws `home.in-use` while the house runs,
 * `store.unavailable` without a database.
 */
export const repairHome = async (folder: string): Promise<RepairReport> => {
  const path = join(folder, "hearth.db");
  if (!existsSync(path)) {
    throw new HearthError("store.unavailable", `${folder} has no hearth.db.`, {
      hint: "Give the home folder: --home DIR",
    });
  }
  const home = openHome(folder);
  try {
    if (isWhole(path)) return { copy: null, lost: [], tables: [] };
    const copy = keepCopy(folder, createBunWorld().clock.now());
    return await rebuild(path, copy);
  } finally {
    home.release();
  }
};

/** Whether SQLite finds no damage and no stream has a gap. Checkpoints the WAL into the file. */
const isWhole = (path: string): boolean => {
  try {
    const database = openSqlite(path);
    try {
      const [checkRow] = database.all("pragma integrity_check(1)");
      const isDense = countStreams(database).every(({ head, last, count }) => count === last && head === last);
      return checkRow?.["integrity_check"] === "ok" && isDense;
    } finally {
      database.close();
    }
  } catch (error) {
    if (isHearthError(error, "store.damaged") || isHearthError(error, "store.foreign")) return false;
    throw error;
  }
};

/** Copies the files before anything is changed. */
const keepCopy = (folder: string, now: number): string => {
  const copy = join(folder, "damaged", new Date(now).toISOString().replaceAll(":", "-"));
  mkdirSync(copy, { recursive: true, mode: 0o700 });
  for (const name of FILES) if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  return copy;
};

const rebuild = async (path: string, copy: string): Promise<RepairReport> => {
  const repairPath = `${path}.repairing`;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(repairPath + suffix, { force: true });
  const newDatabase = openSqlite(repairPath);
  try {
    newDatabase.all("pragma secure_delete = on");
    await prepareSchema(newDatabase);
    const tables = salvage(readFileSync(path), newDatabase);
    if (tables.every(({ rows }) => rows.length === 0)) throw nothingLeftError(path, copy);
    newDatabase.run("begin immediate");
    const report = tables.map((table) => ({ ...table, kept: fill(newDatabase, table) }));
    const lost = closeGaps(newDatabase);
    newDatabase.run("commit");
    newDatabase.close();
    replace(repairPath, path);
    return {
      copy,
      lost,
      tables: report.flatMap(({ table, kept, damagedPages }) =>
        damagedPages.length === 0 ? [] : [{ table, kept, damagedPages: damagedPages.length }],
      ),
    };
  } catch (error) {
    newDatabase.close();
    rmSync(repairPath, { force: true });
    throw error;
  }
};

/**
 * Returns the number of rows in the table. A row whose key is already in the table is a stale copy
 * from an unused page.
 */
const fill = (newDatabase: SqlDatabase, { table, rows }: Salvaged): number => {
  let keptRows = 0;
  for (const row of rows) {
    const columns = Object.keys(row);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const text = `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`;
    if (newDatabase.run(text, Object.values(row)) === "done") keptRows += 1;
  }
  return keptRows;
};

/** Offsets stay dense: each lost event gets a row without a body, which readers see as damaged. */
const closeGaps = (newDatabase: SqlDatabase): RepairReport["lost"] => {
  const lost: { stream: string; offset: number }[] = [];
  for (const { stream, count, ...ends } of countStreams(newDatabase)) {
    const lastOffset = Math.max(ends.head, ends.last);
    newDatabase.run(
      "insert into heads (stream, head) values (?, ?) on conflict (stream) do update set head = excluded.head",
      [stream, lastOffset],
    );
    if (count === lastOffset) continue;
    const [archivedRow] = newDatabase.all(
      "select max(through) as through from audit_segments where 'audit:' || house = ?",
      [stream],
    );
    const timesByOffset = new Map(
      newDatabase
        .all("select offset, at from events where stream = ?", [stream])
        .map((event) => [Number(event["offset"]), Number(event["at"])]),
    );
    let eventAt = 0;
    for (let offset = Number(archivedRow?.["through"] ?? 0) + 1; offset <= lastOffset; offset += 1) {
      eventAt = timesByOffset.get(offset) ?? eventAt;
      if (timesByOffset.has(offset)) continue;
      lost.push({ stream, offset });
      const type = stream.startsWith("room:") ? "message" : "damaged";
      newDatabase.run("insert into events (stream, offset, id, type, at) values (?, ?, ?, ?, ?)", [
        ...[stream, offset, placeholderId(stream, offset), type, eventAt],
      ]);
    }
  }
  return lost;
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const placeholderId = (stream: string, offset: number): string => {
  const bytes = new Bun.CryptoHasher("sha256").update(`damaged ${stream} ${offset}`).digest();
  return `evt_${Array.from(bytes.subarray(0, 26), (byte) => ALPHABET[byte % 32]).join("")}`;
};

const replace = (repairPath: string, path: string): void => {
  const file = openSync(repairPath, "r+");
  fsyncSync(file);
  closeSync(file);
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(repairPath, path);
  const folder = openSync(join(path, ".."), "r");
  fsyncSync(folder);
  closeSync(folder);
};

const nothingLeftError = (path: string, copy: string): HearthError =>
  new HearthError("store.damaged", `${path} contains no readable row. Nothing was changed; a copy is in ${copy}.`, {
    hint: "Restore the home folder from a backup.",
  });
