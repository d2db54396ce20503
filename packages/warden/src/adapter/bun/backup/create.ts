/**
 * Makes a backup of a home, whose daemon may be running. Files are copied first and the database
 * afterwards: its labels, brain versions and audit rows then cover every copied file. The blobs that
 * the copy of the database names come last.
 */
import { existsSync } from "node:fs";
import { readFile, realpath, stat, statfs } from "node:fs/promises";
import { join, relative } from "node:path";
import { type AgentId, HearthError, isHearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { checkGeneration } from "../generation.ts";
import { RESTORING } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import { type BackupDisk, createBackupDisk, type Digest } from "./backup-disk.ts";
import { objectPath } from "./backup-folder.ts";
import { type BackupWriter, openBackupWriter } from "./backup-writer.ts";
import { type BrainPlaces, correctBrains, readBrainPlaces } from "./brain-files.ts";
import { visitHome } from "./collect.ts";
import { createHomeBlobs, type HomeBlobs } from "./home-blobs.ts";
import { type BackupFile, contentsOf, DATABASE, type Manifest, sizeOf } from "./manifest.ts";
import { codeOf } from "./read-file.ts";
import { namedBlobs, openSnapshot, type Snapshot } from "./snapshot.ts";
import { examineDatabase, findDamage } from "./verify.ts";

export interface BackupReport {
  readonly number: number;
  readonly folder: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly house: string;
  readonly files: number;
  readonly bytes: number;
  /** Files that the folder did not have before. */
  readonly added: { readonly files: number; readonly bytes: number };
  /** Numbers of backups that `keep` removed. */
  readonly removed: readonly number[];
  /** Files that are missing or damaged in the home itself, or not in the backup. */
  readonly remarks: readonly string[];
}

export interface BackupOptions {
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the folder of backups. */
  readonly to: string;
  /** How many backups of this house are left afterwards. Absent: all. */
  readonly keep?: number;
  readonly version: string;
  readonly now: () => number;
  readonly disk?: BackupDisk;
}

/**
 * Resolves once the backup has been read back and is complete. Throws `backup.*`, and `store.*`
 * when the home has no usable database. An interrupted or failed backup leaves earlier ones intact.
 */
export const createBackup = async (options: BackupOptions): Promise<BackupReport> => {
  const { to, keep, disk = createBackupDisk() } = options;
  const home = await requireHome(options.home, to);
  try {
    using writer = await openBackupWriter(to, disk);
    const database = await openLive(home);
    try {
      await requireSpace(database, to);
      const manifest = await copyHome({ ...options, home, writer, database });
      await writer.seal(manifest);
      const removed = await writer.prune(manifest.house.id, keep ?? Infinity);
      return toReport(manifest, writer, removed);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFailure(error, to);
  }
};

const toReport = (manifest: Manifest, { folder, added }: BackupWriter, removed: readonly number[]): BackupReport => ({
  number: manifest.number,
  folder,
  at: manifest.at,
  house: manifest.house.handle,
  files: contentsOf(manifest).length,
  bytes: sizeOf(manifest),
  added: { ...added },
  removed,
  remarks: manifest.remarks,
});

const requireHome = async (home: string, to: string): Promise<string> => {
  if (!existsSync(join(home, DATABASE)))
    throw new HearthError("store.unavailable", `${home} has no ${DATABASE}.`, {
      hint: "Give the home folder: --home DIR",
    });
  if (existsSync(join(home, RESTORING)))
    throw new HearthError("home.foreign", `A restore into ${home} was interrupted, so it is not complete.`, {
      hint: "Run the restore again: hearth restore --from DIR",
    });
  const real = await realpath(home);
  const inside = relative(real, existsSync(to) ? await realpath(to) : to);
  if (!inside.startsWith("..") && !inside.startsWith("/"))
    throw new HearthError("backup.foreign", `${to} is inside the home, so both would be lost together.`, {
      hint: "Give a folder outside of the home, best on another disk: hearth backup --to DIR",
    });
  return real;
};

/** How often, and after which pause, a generation that is just being renewed is read again. */
const GENERATION_TRIES = 3;
const GENERATION_PAUSE_MS = 200;

/** Opens the database beside its daemon. */
const openLive = async (home: string): Promise<SqlDatabase> => {
  const path = join(home, DATABASE);
  for (let attempt = 1; existsSync(`${path}-wal`); attempt += 1)
    try {
      checkGeneration(path);
      break;
    } catch (error) {
      if (!isHearthError(error, "store.foreign") || attempt === GENERATION_TRIES) throw error;
      await Bun.sleep(GENERATION_PAUSE_MS);
    }
  return openSqlite(path);
};

const RESERVE_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

/** The database is copied whole, so a disk without room for it is known before any work. */
const requireSpace = async (database: SqlDatabase, to: string): Promise<void> => {
  const pragma = (name: string): number => Number(database.all(`pragma ${name}`)[0]?.[name]);
  const neededBytes = pragma("page_count") * pragma("page_size") + RESERVE_BYTES;
  const { bavail, bsize } = await statfs(to);
  if (bavail * bsize < neededBytes) throw diskFull(to, `it needs ${Math.ceil(neededBytes / MIB)} MiB or more`);
};

const diskFull = (to: string, why: string, cause?: unknown): HearthError =>
  new HearthError("backup.full", `The disk of ${to} has no room for this backup: ${why}. Earlier backups are intact.`, {
    hint: "Free space there, keep fewer backups (hearth backup --keep N), or give another disk: hearth backup --to DIR",
    cause,
  });

const toFailure = (error: unknown, to: string): unknown => {
  const code = codeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL" || String(error).includes("disk is full"))
    return diskFull(to, "it became full", error);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new HearthError("backup.failed", `The backup to ${to} failed: ${String(error)}`, {
    hint: "Check that the folder is writable and that its disk works. Earlier backups are intact.",
    cause: error,
  });
};

interface Copying extends Omit<BackupOptions, "keep" | "disk"> {
  readonly writer: BackupWriter;
  readonly database: SqlDatabase;
}

/** How often objects that cannot be read back are written again. */
const WRITE_TRIES = 2;

/** Copies everything and reads it back. */
const copyHome = async (copying: Copying): Promise<Manifest> => {
  const { writer } = copying;
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await copyOnce(copying);
    const damage = await findDamage(writer.folder, manifest);
    const [first] = damage;
    if (first === undefined) return manifest;
    if (attempt === WRITE_TRIES)
      throw new HearthError(
        "backup.damaged",
        `${first.path} cannot be read back from ${writer.folder} as it was written, so this is no backup.`,
        { hint: "Check that disk for errors, or give another one: hearth backup --to DIR" },
      );
    // An object of an earlier backup may have been damaged since; this backup heals it.
    for (const { hash } of damage) await writer.drop(hash);
  }
};

const copyOnce = async (copying: Copying): Promise<Manifest> => {
  const { home, writer, database, version, now } = copying;
  const places = readBrainPlaces(database);
  const contents = await collect(home, writer);
  const blobs = createHomeBlobs(home);
  const copy = await copyDatabase({ writer, database, blobs, now });
  using snapshot = openSnapshot(objectPath(writer.folder, copy.digest.hash));
  await correct({ contents, writer, snapshot, before: places, blobs });
  const files = [
    ...contents.files.values(),
    { path: DATABASE, ...copy.digest, mode: 0o600, modifiedAt: copy.at },
  ].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const report = await examineDatabase(writer.folder, { files }, snapshot);
  if (report.pages !== undefined)
    throw new HearthError("store.damaged", `The database ${join(home, DATABASE)} is damaged: ${report.pages}`, {
      hint: "Stop the house, then repair the database: hearth repair. It makes a copy first.",
    });
  return {
    ...{ format: 1, number: writer.number, at: copy.at, version, house: await firstHouse(snapshot) },
    files,
    folders: contents.folders,
    links: contents.links,
    blobs: copy.blobs,
    remarks: [...contents.remarks, ...copy.remarks, ...report.findings, ...keyRemarks(snapshot)],
  };
};

interface Contents {
  readonly files: Map<string, BackupFile>;
  readonly folders: { readonly path: string; readonly mode: number }[];
  readonly links: { readonly path: string; readonly target: string }[];
  readonly remarks: string[];
}

const MODE_BITS = 0o777;

const collect = async (home: string, writer: BackupWriter): Promise<Contents> => {
  const contents: Contents = { files: new Map(), folders: [], links: [], remarks: [] };
  await visitHome(home, {
    async file(path, file, stat) {
      const digest = await writer.addFile(file);
      contents.files.set(path, { path, ...digest, mode: stat.mode & MODE_BITS, modifiedAt: stat.mtimeMs });
    },
    folder(path, mode) {
      contents.folders.push({ path, mode });
    },
    link(path, target) {
      contents.links.push({ path, target });
    },
    skipped(path, why) {
      contents.remarks.push(`${path} ${why} and is not in the backup`);
    },
  });
  return contents;
};

interface DatabaseCopy {
  readonly digest: Digest;
  readonly at: number;
  readonly blobs: Manifest["blobs"];
  readonly remarks: readonly string[];
}

/** The running house may remove blobs while they are copied; a later copy no longer names them. */
const DATABASE_TRIES = 4;

const copyDatabase = async (options: {
  readonly writer: BackupWriter;
  readonly database: SqlDatabase;
  readonly blobs: HomeBlobs;
  readonly now: () => number;
}): Promise<DatabaseCopy> => {
  const { writer, database, blobs, now } = options;
  let before: ReadonlyMap<string, string> | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const digest = await writer.addDatabase(database);
    using snapshot = openSnapshot(objectPath(writer.folder, digest.hash));
    const copied = await copyBlobs(snapshot, writer, blobs);
    const { lost } = copied;
    // A blob that two copies in a row name, and that is not there, is lost in the home.
    const isStable = before !== undefined && [...lost.keys()].every((hash) => before?.has(hash) === true);
    if (lost.size === 0 || isStable || attempt === DATABASE_TRIES)
      return { digest, at, blobs: copied.blobs, remarks: [...lost].map(([hash, why]) => `the blob ${hash} ${why}`) };
    before = lost;
  }
};

const copyBlobs = async (
  snapshot: Snapshot,
  writer: BackupWriter,
  home: HomeBlobs,
): Promise<{ readonly blobs: Manifest["blobs"]; readonly lost: ReadonlyMap<string, string> }> => {
  const blobs: Manifest["blobs"] = [];
  const lost = new Map<string, string>();
  const { bodies, inputs } = await namedBlobs(snapshot, home);
  for (const hash of [...bodies, ...inputs]) {
    const sizeBytes = await copyBlob(hash, writer, home);
    if (typeof sizeBytes === "number") blobs.push([hash, sizeBytes]);
    else if (bodies.has(hash)) lost.set(hash, sizeBytes);
  }
  return { blobs, lost };
};

/** Its size, or why it cannot be copied. */
const copyBlob = async (hash: string, writer: BackupWriter, home: HomeBlobs): Promise<number | string> => {
  if (writer.has(hash)) return (await stat(objectPath(writer.folder, hash))).size;
  const file = await home.open(hash);
  if (file === undefined) return "is missing in the home";
  await using opened = file;
  const digest = await writer.addFile(opened);
  return digest.hash === hash ? digest.sizeBytes : "is damaged in the home";
};

/** Replaces copies of brain files by what the copied database holds. */
const correct = async (options: {
  readonly contents: Contents;
  readonly writer: BackupWriter;
  readonly snapshot: Snapshot;
  readonly before: BrainPlaces;
  readonly blobs: HomeBlobs;
}): Promise<void> => {
  const { contents, writer, snapshot, before, blobs } = options;
  const folders = await brainFolders(contents, writer);
  const pathOf = (agent: AgentId, path: string): string => `brains/${folders.get(agent) ?? ""}/${path}`;
  const corrections = correctBrains({
    ...{ snapshot, before, blobs },
    hashOf: (agent, path) => contents.files.get(pathOf(agent, path))?.hash ?? null,
  });
  for await (const { agent, path, bytes } of corrections) {
    // A brain without a folder is written again from its versions at the next start.
    if (!folders.has(agent)) continue;
    const at = pathOf(agent, path);
    const { mode = 0o600, modifiedAt = 0 } = contents.files.get(at) ?? {};
    if (bytes === undefined) contents.files.delete(at);
    else contents.files.set(at, { path: at, ...(await writer.addBytes(bytes)), mode, modifiedAt });
  }
};

/** The folder of each agent, by the mark in it. */
const brainFolders = async ({ files }: Contents, { folder }: BackupWriter): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for (const { path, hash } of files.values()) {
    const name = /^brains\/([^/]+)\/\.agent$/.exec(path)?.[1];
    if (name !== undefined) found.set((await readFile(objectPath(folder, hash), "utf8")).trim(), name);
  }
  return found;
};

export const firstHouse = async (snapshot: Pick<Snapshot, "select">): Promise<Manifest["house"]> => {
  const [house] = await snapshot.select({
    table: "records",
    where: { type: "house" },
    order: [{ column: "id" }],
    limit: 1,
  });
  return { id: house?.id ?? "", handle: house?.handle ?? "" };
};

/** A key outside of the home is in no backup of it. */
const keyRemarks = (snapshot: Snapshot): readonly string[] => {
  const sources = snapshot.all("select distinct source from vault_keys").map(({ source }) => source);
  return sources.includes("keyring")
    ? [
        "the vault's key is in this machine's keyring and not in the backup: without it, secrets cannot be used elsewhere",
      ]
    : [];
};
