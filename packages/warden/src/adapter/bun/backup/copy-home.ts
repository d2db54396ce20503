/**
 * Copies a home, whose daemon may be running, into a folder of objects. Files are copied before the
 * database, so that its labels, brain versions and audit rows cover every copied file. The blobs to
 * which the copied database refers come last.
 */
import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type AgentId, HearthError, isHearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import { isCurrentSchema } from "../../../kernel/store/schema.ts";
import { KEY_FILE } from "../audit/key.ts";
import { checkGeneration } from "../generation.ts";
import { RESTORING } from "../home.ts";
import { openSqlite } from "../sqlite.ts";
import type { Digest } from "./backup-disk.ts";
import { objectPath } from "./backup-folder.ts";
import type { ObjectWriter } from "./backup-writer.ts";
import { type BrainVersions, findBrainCorrections, readBrainVersions } from "./brain-files.ts";
import { visitHome } from "./collect.ts";
import { createHomeBlobs, type HomeBlobs } from "./home-blobs.ts";
import { type BackupFile, blobPath, DATABASE, type Manifest } from "./manifest.ts";
import { readWhole, undefinedIfMissing } from "./read-file.ts";
import { findReferencedBlobs, openSnapshot, type Snapshot } from "./snapshot.ts";
import { examineDatabase, findDamage } from "./verify.ts";

/**
 * Returns the home's path without links. Throws if the home cannot be copied to `to`. `command` is
 * the command that writes there.
 */
export const requireHome = async (home: string, to: string, command: string): Promise<string> => {
  const realHome = await requireWholeHome(home);
  const inside = relative(realHome, existsSync(to) ? await realpath(to) : to);
  if (!inside.startsWith("..") && !inside.startsWith("/"))
    throw new HearthError("backup.foreign", `${to} is inside the home, so both would be lost together.`, {
      hint: `Give a folder outside of the home, best on another disk: ${command}`,
    });
  return realHome;
};

/** Returns the home's path without links. Throws if there is no complete home. */
export const requireWholeHome = async (home: string): Promise<string> => {
  if (!existsSync(join(home, DATABASE)))
    throw new HearthError("store.unavailable", `${home} has no ${DATABASE}.`, {
      hint: "Give the home folder: --home DIR",
    });
  if (existsSync(join(home, RESTORING)))
    throw new HearthError(
      "home.foreign",
      `A restore or an import into ${home} was interrupted, so it is not complete.`,
      {
        hint: "Run it again: hearth restore --from DIR, or hearth import hearth DIR",
      },
    );
  return realpath(home);
};

/** Number of attempts to read a generation that is just being renewed. */
const GENERATION_ATTEMPTS = 3;
const GENERATION_PAUSE_MS = 200;

/** Opens the database beside its daemon. */
export const openLiveDatabase = async (home: string): Promise<SqlDatabase> => {
  const path = join(home, DATABASE);
  for (let attempt = 1; existsSync(`${path}-wal`); attempt += 1)
    try {
      checkGeneration(path);
      break;
    } catch (error) {
      if (!isHearthError(error, "store.foreign") || attempt === GENERATION_ATTEMPTS) throw error;
      await Bun.sleep(GENERATION_PAUSE_MS);
    }
  return openSqlite(path);
};

export interface CopyOptions {
  /** A path without links. */
  readonly home: string;
  readonly writer: ObjectWriter;
  readonly database: SqlDatabase;
  readonly version: string;
  readonly now: () => number;
  /** Files of the home that are not copied, besides those that no backup has. */
  readonly isExcluded?: (path: string) => boolean;
  /** Sizes of blobs, by their hash, that are stored elsewhere and not copied. */
  readonly storedElsewhere?: ReadonlyMap<string, number>;
}

/** Number of attempts to write objects that cannot be read back. */
const WRITE_ATTEMPTS = 2;

/** Copies the home and reads the copy back. */
export const copyHome = async (options: CopyOptions): Promise<Manifest> => {
  const { writer, storedElsewhere } = options;
  for (let attempt = 1; ; attempt += 1) {
    const manifest = await copyWithKey(options);
    const damage = (await findDamage(writer.folder, manifest)).filter(
      ({ path, hash }) => path !== blobPath(hash) || storedElsewhere?.has(hash) !== true,
    );
    const [firstDamage] = damage;
    if (firstDamage === undefined) return manifest;
    if (attempt === WRITE_ATTEMPTS)
      throw new HearthError(
        "backup.damaged",
        `${firstDamage.path} cannot be read back from ${writer.folder} as it was written, so the backup is not complete.`,
        { hint: "Check that disk for errors, or give a folder on another one." },
      );
    // An object of an earlier backup may have been damaged since. This backup repairs it.
    for (const { hash } of damage) await writer.drop(hash);
  }
};

/**
 * Copies again if the key of the audit log was rotated meanwhile, because the copied key could then
 * not verify the copied rows.
 */
const copyWithKey = async (options: CopyOptions): Promise<Manifest> => {
  const readKey = () => readFile(join(options.home, KEY_FILE), "utf8").catch(undefinedIfMissing);
  for (;;) {
    const key = await readKey();
    const manifest = await copyOnce(options);
    if ((await readKey()) === key) return manifest;
  }
};

const copyOnce = async (options: CopyOptions): Promise<Manifest> => {
  const { home, writer, database, version, now, storedElsewhere = new Map<string, number>() } = options;
  const brainVersions = isCurrentSchema(database) ? readBrainVersions(database) : new Map<string, number>();
  const contents = await collect(options);
  const blobs = createHomeBlobs(home);
  const copy = await copyDatabase({ writer, database, blobs, now, elsewhere: storedElsewhere });
  using snapshot = openSnapshot(objectPath(writer.folder, copy.digest.hash));
  await correctBrainFiles({ contents, writer, snapshot, before: brainVersions, blobs });
  const files = [
    ...contents.files.values(),
    { path: DATABASE, ...copy.digest, mode: 0o600, modifiedAt: copy.at },
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const report = await examineDatabase(writer.folder, { files }, snapshot, {
    get: async (hash) => (await readWhole(objectPath(writer.folder, hash))) ?? blobs.get(hash),
  });
  if (report.pages !== undefined)
    throw new HearthError("store.damaged", `The database ${join(home, DATABASE)} is damaged: ${report.pages}`, {
      hint: "Stop the house, then repair the database: hearth repair. It makes a copy first.",
    });
  return {
    format: 1,
    number: writer.number,
    at: copy.at,
    version,
    house: await firstHouse(snapshot),
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

const collect = async ({ home, writer, isExcluded = () => false }: CopyOptions): Promise<Contents> => {
  const contents: Contents = { files: new Map(), folders: [], links: [], remarks: [] };
  await visitHome(home, {
    async file(path, file, stat) {
      if (isExcluded(path)) return;
      const digest = await writer.addFile(file);
      contents.files.set(path, { path, ...digest, mode: stat.mode & MODE_BITS, modifiedAt: stat.mtimeMs });
    },
    folder(path, mode) {
      if (!isExcluded(path)) contents.folders.push({ path, mode });
    },
    link(path, target) {
      contents.links.push({ path, target });
    },
    skip(path, why) {
      contents.remarks.push(`${path} ${why} and is not copied`);
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

/**
 * Number of copies of the database. The running house may remove blobs during the copy, and a later
 * copy no longer refers to them.
 */
const DATABASE_ATTEMPTS = 4;

const copyDatabase = async (options: {
  readonly writer: ObjectWriter;
  readonly database: SqlDatabase;
  readonly blobs: HomeBlobs;
  readonly now: () => number;
  readonly elsewhere: ReadonlyMap<string, number>;
}): Promise<DatabaseCopy> => {
  const { writer, database, blobs, now, elsewhere } = options;
  let previouslyLost: ReadonlyMap<string, string> | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const digest = await writer.addDatabase(database);
    using snapshot = openSnapshot(objectPath(writer.folder, digest.hash));
    const result = await copyBlobs(snapshot, writer, blobs, elsewhere);
    const { lost } = result;
    // A blob that two copies in a row name, and that is not there, is lost in the home.
    const isStable =
      previouslyLost !== undefined && [...lost.keys()].every((hash) => previouslyLost?.has(hash) === true);
    if (lost.size === 0 || isStable || attempt === DATABASE_ATTEMPTS)
      return { digest, at, blobs: result.blobs, remarks: [...lost].map(([hash, why]) => `the blob ${hash} ${why}`) };
    previouslyLost = lost;
  }
};

const copyBlobs = async (
  snapshot: Snapshot,
  writer: ObjectWriter,
  home: HomeBlobs,
  elsewhere: ReadonlyMap<string, number>,
): Promise<{ readonly blobs: Manifest["blobs"]; readonly lost: ReadonlyMap<string, string> }> => {
  const blobs: Manifest["blobs"] = [];
  const lost = new Map<string, string>();
  const { bodies, inputs } = await findReferencedBlobs(snapshot, home);
  for (const hash of [...bodies, ...inputs]) {
    const sizeBytes = elsewhere.get(hash) ?? (await copyBlob(hash, writer, home));
    if (typeof sizeBytes === "number") blobs.push([hash, sizeBytes]);
    else if (bodies.has(hash)) lost.set(hash, sizeBytes);
  }
  return { blobs, lost };
};

/** Returns the size of the blob, or the reason why it cannot be copied. */
const copyBlob = async (hash: string, writer: ObjectWriter, home: HomeBlobs): Promise<number | string> => {
  if (writer.has(hash)) return (await stat(objectPath(writer.folder, hash))).size;
  const file = await home.open(hash);
  if (file === undefined) return "is missing in the home";
  await using openFile = file;
  const digest = await writer.addFile(openFile);
  return digest.hash === hash ? digest.sizeBytes : "is damaged in the home";
};

/** Replaces copies of brain files by the versions of the copied database. */
const correctBrainFiles = async (options: {
  readonly contents: Contents;
  readonly writer: ObjectWriter;
  readonly snapshot: Snapshot;
  readonly before: BrainVersions;
  readonly blobs: HomeBlobs;
}): Promise<void> => {
  const { contents, writer, snapshot, before, blobs } = options;
  if (!snapshot.hasCurrentSchema) return;
  const folders = await brainFolders(contents, writer);
  const pathOf = (agent: AgentId, path: string): string => `brains/${folders.get(agent) ?? ""}/${path}`;
  const corrections = findBrainCorrections({
    snapshot,
    before,
    blobs,
    hashOf: (agent, path) => contents.files.get(pathOf(agent, path))?.hash ?? null,
  });
  for await (const { agent, path, bytes } of corrections) {
    // A brain without a folder is written again from its versions at the next start.
    if (!folders.has(agent)) continue;
    const homePath = pathOf(agent, path);
    const { mode = 0o600, modifiedAt = 0 } = contents.files.get(homePath) ?? {};
    if (bytes === undefined) contents.files.delete(homePath);
    else contents.files.set(homePath, { path: homePath, ...(await writer.add([bytes])), mode, modifiedAt });
  }
};

/** Returns the folder of each agent, by the mark in the folder. */
const brainFolders = async ({ files }: Contents, { folder }: ObjectWriter): Promise<ReadonlyMap<string, string>> => {
  const foldersByAgent = new Map<string, string>();
  for (const { path, hash } of files.values()) {
    const name = /^brains\/([^/]+)\/\.agent$/.exec(path)?.[1];
    if (name !== undefined) foldersByAgent.set((await readFile(objectPath(folder, hash), "utf8")).trim(), name);
  }
  return foldersByAgent;
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

/** Returns a remark if the vault's key is outside of the home, because no backup contains it. */
const keyRemarks = (snapshot: Snapshot): readonly string[] => {
  if (!snapshot.hasCurrentSchema) return [];
  const sources = snapshot.all("select distinct source from vault_keys").map(({ source }) => source);
  return sources.includes("keyring")
    ? [
        "the vault's key is in this machine's keyring and not in the backup: without it, secrets cannot be used elsewhere",
      ]
    : [];
};
