/** Writes the files of an export from a copied home, reads them back, and completes the export. */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import type { BackupDisk } from "../backup/backup-disk.ts";
import { objectPath } from "../backup/backup-folder.ts";
import { makeFolders, withParents } from "../backup/fill-home.ts";
import { blobPath, DATABASE, type Manifest, seal } from "../backup/manifest.ts";
import { chunksOf, digestAt, readWhole } from "../backup/read-file.ts";
import { openSnapshot, type Snapshot } from "../backup/snapshot.ts";
import {
  credentialsPath,
  type ExportManifest,
  exportedFiles,
  FORMAT,
  INCOMPLETE,
  MANIFEST,
  tablePath,
  type TableRows,
} from "./export-manifest.ts";
import { README } from "./readme.ts";
import { roomPages } from "./room-pages.ts";
import { credentialTables, linesOf, stateHash, stateTables, type TableFile } from "./table-files.ts";

/** A long piece of work, for people. `done` of `total` items are finished. */
export interface Progress {
  readonly what: string;
  readonly done?: number;
  readonly total?: number;
}
export type OnProgress = (progress: Progress) => void;

/** The name of the manifest until it replaces the mark. */
export const DRAFT = "draft";
export const README_FILE = "README.md";

interface WriteContext {
  /** The folder of the export. */
  readonly to: string;
  readonly disk: BackupDisk;
  /** The folder of objects with the files of the home. */
  readonly copies: string;
  readonly copied: Manifest;
  readonly withCredentials: boolean;
  readonly onProgress: OnProgress;
}

export const writeExport = async (context: WriteContext): Promise<ExportManifest> => {
  const { to, disk, copies, copied, withCredentials } = context;
  const database = copied.files.find(({ path }) => path === DATABASE);
  if (database === undefined) throw new Error(`the copied home has no ${DATABASE}`);
  const files = copied.files.filter((file) => file !== database);
  using snapshot = openSnapshot(objectPath(copies, database.hash));
  requireCurrentSchema(snapshot);
  await makeFolders(to, disk, ["tables", ...(withCredentials ? ["credentials"] : [])]);
  const tables = await writeTables(context, snapshot, stateTables, tablePath);
  const credentials = withCredentials
    ? { credentials: await writeTables(context, snapshot, credentialTables, credentialsPath) }
    : {};
  const pages = await writePages(context, snapshot);
  await placeFiles(context, files);
  const manifest: ExportManifest = {
    format: FORMAT,
    at: copied.at,
    version: copied.version,
    schema: migrations.length,
    house: copied.house,
    stateHash: stateHash(tables),
    tables,
    ...credentials,
    files,
    folders: copied.folders,
    links: copied.links,
    blobs: copied.blobs,
    pages,
    remarks: copied.remarks,
  };
  await complete(context, manifest);
  return manifest;
};

const requireCurrentSchema = ({ hasCurrentSchema }: Snapshot): void => {
  if (hasCurrentSchema) return;
  throw new HearthError("store.foreign", "The database is from an older Hearth, so it cannot be exported yet.", {
    hint: "Start the house once: hearth up. Then run the export again.",
  });
};

const writeTables = async (
  { to, disk, onProgress }: WriteContext,
  snapshot: Snapshot,
  tables: readonly TableFile[],
  pathOf: (name: string) => string,
): Promise<TableRows[]> => {
  const tableRows: TableRows[] = [];
  for (const { name, key, columns } of tables) {
    onProgress({ what: `table ${name}`, done: tableRows.length, total: tables.length });
    let rows = 0;
    const lines = linesOf(snapshot, { name, key, columns }, (count) => {
      rows += count;
    });
    const digest = await disk.write(join(to, pathOf(name)), lines);
    tableRows.push({ name, key: [...key], columns: [...columns], rows, ...digest });
  }
  return tableRows;
};

/** Writes the pages for people. */
const writePages = async (
  { to, disk, copies, onProgress }: WriteContext,
  snapshot: Snapshot,
): Promise<ExportManifest["pages"]> => {
  const pages: ExportManifest["pages"] = [];
  const write = async (path: string, text: string): Promise<void> => {
    await makeFolders(to, disk, [dirname(path)]);
    pages.push({ path, ...(await disk.write(join(to, path), [new TextEncoder().encode(text)])) });
  };
  await write(README_FILE, README);
  const blobs = { get: (hash: string) => readWhole(objectPath(copies, hash)) };
  for await (const { path, text } of roomPages({ snapshot, blobs })) {
    onProgress({ what: "pages of rooms", done: pages.length });
    await write(path, text);
  }
  return pages;
};

/** Copies each file of the home to its place. */
const placeFiles = async (
  { to, disk, copies, copied, onProgress }: WriteContext,
  files: Manifest["files"],
): Promise<void> => {
  const places = [
    ...files.map(({ path, hash }) => ({ path: `home/${path}`, hash })),
    ...copied.blobs.map(([hash]) => ({ path: blobPath(hash), hash })),
  ];
  const folders = copied.folders.map(({ path }) => `home/${path}`);
  await makeFolders(to, disk, [...folders, ...places.map(({ path }) => dirname(path))]);
  for (const [done, { path, hash }] of places.entries()) {
    onProgress({ what: "files", done, total: places.length });
    await using file = await open(objectPath(copies, hash), "r");
    await disk.write(join(to, path), chunksOf(file));
  }
};

/** Reads everything back, and replaces the mark by the manifest. */
const complete = async ({ to, disk, onProgress }: WriteContext, manifest: ExportManifest): Promise<void> => {
  const files = exportedFiles(manifest);
  const [first] = await findExportDamage(to, manifest, onProgress);
  if (first !== undefined)
    throw new HearthError("backup.damaged", `${first.path} cannot be read back from ${to} as it was written.`, {
      hint: "Check that disk for errors, or give a folder on another one: hearth export DIR",
    });
  const folders = new Set(files.flatMap(({ path }) => withParents(dirname(path))));
  for (const folder of folders) await disk.syncFolder(join(to, folder));
  await disk.write(join(to, DRAFT), [new TextEncoder().encode(seal(manifest))]);
  // The mark is replaced by one rename, so that the folder never has both or neither of the two.
  await disk.rename(join(to, DRAFT), join(to, INCOMPLETE));
  await disk.rename(join(to, INCOMPLETE), join(to, MANIFEST));
  await disk.syncFolder(to);
};

/** Every file whose bytes are not those of the manifest. */
export const findExportDamage = async (
  folder: string,
  manifest: ExportManifest,
  onProgress: OnProgress,
): Promise<readonly { readonly path: string; readonly fault: "missing" | "damaged" }[]> => {
  const problems: { readonly path: string; readonly fault: "missing" | "damaged" }[] = [];
  const files = exportedFiles(manifest);
  for (const [done, { path, hash, sizeBytes }] of files.entries()) {
    onProgress({ what: "reading every file", done, total: files.length });
    const digest = await digestAt(join(folder, path));
    if (digest?.hash === hash && digest.sizeBytes === sizeBytes) continue;
    problems.push({ path, fault: digest === undefined ? "missing" : "damaged" });
  }
  return problems;
};
