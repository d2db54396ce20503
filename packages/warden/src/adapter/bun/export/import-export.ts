/** Imports an export into an empty home, from its tables and files. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { migrations } from "../../../kernel/store/migrations/index.ts";
import { type BackupDisk, createBackupDisk } from "../backup/backup-disk.ts";
import { fillHome, requireEmpty } from "../backup/fill-home.ts";
import { blobPath, DATABASE } from "../backup/manifest.ts";
import { openSnapshot } from "../backup/snapshot.ts";
import { checkPages } from "../storage/examine.ts";
import { buildDatabase } from "./build-database.ts";
import { type ExportManifest, exportedFiles, readExport } from "./export-manifest.ts";
import { hashOf, stateHash } from "./table-files.ts";
import { findExportDamage, type OnProgress } from "./write-export.ts";

export interface ImportOptions {
  /** Absolute path of the home, which is empty or missing. */
  readonly home: string;
  /** Absolute path of the export. */
  readonly from: string;
  readonly disk?: BackupDisk;
  readonly onProgress?: OnProgress;
}

export interface ImportReport {
  readonly kind: "imported";
  readonly home: string;
  /** When the export was made, in UTC milliseconds. */
  readonly at: number;
  readonly house: string;
  /** The hash of the imported tables, which equals that of the export. */
  readonly stateHash: string;
  readonly files: number;
  readonly rows: number;
  readonly hasCredentials: boolean;
  readonly remarks: readonly string[];
}

export type ImportOutcome =
  | ImportReport
  | {
      readonly kind: "damaged";
      readonly problems: readonly { readonly path: string; readonly fault: "missing" | "damaged" }[];
    };

/**
 * Writes nothing when a file of the export is missing or changed. Throws `backup.not-found` for an
 * incomplete export, `home.foreign` when the folder is not empty, and `home.full`. An interrupted
 * import can be run again.
 */
export const importExport = async (options: ImportOptions): Promise<ImportOutcome> => {
  const { home, from, disk = createBackupDisk(), onProgress = () => {} } = options;
  const manifest = await readExport(from);
  await requireEmpty(home);
  requireKnownSchema(manifest);
  const problems = await findExportDamage(from, manifest, onProgress);
  if (problems.length > 0) return { kind: "damaged", problems };
  const blobs = new Set(manifest.blobs.map(([hash]) => blobPath(hash)));
  const { at, house } = manifest;
  await fillHome({
    home,
    disk,
    contents: manifest,
    sourceOf: ({ path }) => (blobs.has(path) ? join(from, path) : join(from, "home", path)),
    origin: { from, at, house: house.handle },
    what: "import",
    generated: {
      names: [DATABASE, `${DATABASE}-journal`],
      sizeBytes: manifest.tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      async make() {
        onProgress({ what: "building the database" });
        await disk.create(join(home, DATABASE), (path) => buildDatabase({ path, from, manifest, onProgress }));
        await requireState(home, manifest);
      },
    },
  });
  const files = exportedFiles(manifest).length;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const hasCredentials = manifest.credentials !== undefined;
  const { stateHash: hash, remarks } = manifest;
  return { kind: "imported", home, at, house: house.handle, stateHash: hash, files, rows, hasCredentials, remarks };
};

const requireKnownSchema = ({ schema }: ExportManifest): void => {
  if (schema <= migrations.length) return;
  throw new HearthError(
    "store.foreign",
    `The export has schema ${schema}, and this version of Hearth knows only ${migrations.length}.`,
    { hint: "A newer Hearth made it. Update this one, then run the import again." },
  );
};

/** Computes the state hash from the database that was built. */
const requireState = async (home: string, manifest: ExportManifest): Promise<void> => {
  const path = join(home, DATABASE);
  if ((await stat(path)).size === 0) throw new Error(`${path} is empty`);
  using snapshot = openSnapshot(path);
  const pages = checkPages(snapshot, false);
  const hash = stateHash(manifest.tables.map((table) => ({ name: table.name, hash: hashOf(snapshot, table) })));
  if (pages.ok && hash === manifest.stateHash) return;
  throw new HearthError(
    "backup.damaged",
    pages.ok
      ? `The imported tables have the state hash ${hash}, and the export has ${manifest.stateHash}.`
      : `The database that was built in ${home} is damaged: ${pages.detail}`,
    { hint: "Check the disk for errors, then run the import again." },
  );
};
