/** The manifest of an export: `export.json`, with every file and its hash, sealed like a backup's. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { BackupFile, blobPath, Hash, HomePath, unseal } from "../backup/manifest.ts";
import { codeOf, undefinedIfMissing } from "../backup/read-file.ts";

/** Increases when an older Hearth could not import the export. */
export const FORMAT = 1;
export const MANIFEST = "export.json";
/** The file in place of the manifest until the export is complete. */
export const INCOMPLETE = "INCOMPLETE";

/** A name that becomes part of an SQL statement. */
const SqlName = z.string().regex(/^[a-z][a-z0-9_]*$/);

const TableRows = z.strictObject({
  name: SqlName,
  key: z.array(SqlName).min(1),
  columns: z.array(SqlName).min(1),
  rows: z.int().min(0),
  sizeBytes: z.int().min(0),
  hash: Hash,
});
export type TableRows = z.infer<typeof TableRows>;

export const ExportManifest = z.strictObject({
  format: z.literal(FORMAT).default(FORMAT),
  /** When the database was copied, in UTC milliseconds. */
  at: z.int(),
  /** The version of Hearth that made the export. */
  version: z.string(),
  /** The number of steps that its database has. */
  schema: z.int().min(1),
  house: z.strictObject({ id: z.string(), handle: z.string() }),
  stateHash: Hash,
  /** The files `tables/NAME.jsonl`. */
  tables: z.array(TableRows),
  /** The files `credentials/NAME.jsonl`. It is undefined if the export has no credentials. */
  credentials: z.array(TableRows).optional(),
  /** Files of the home, as `home/PATH`. */
  files: z.array(BackupFile),
  folders: z.array(z.strictObject({ path: HomePath, mode: z.int() })),
  links: z.array(z.strictObject({ path: HomePath, target: z.string() })),
  /** Hash and size of each blob. */
  blobs: z.array(z.tuple([Hash, z.int().min(0)])),
  /** Files for people, which an import does not use. */
  pages: z.array(z.strictObject({ path: HomePath, hash: Hash, sizeBytes: z.int().min(0) })),
  remarks: z.array(z.string()),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

/** Lists every file of an export. */
export const exportedFiles = (
  manifest: Pick<ExportManifest, "tables" | "credentials" | "files" | "blobs" | "pages">,
): readonly { readonly path: string; readonly hash: string; readonly sizeBytes: number }[] => [
  ...manifest.tables.map(({ name, ...file }) => ({ path: tablePath(name), ...file })),
  ...(manifest.credentials ?? []).map(({ name, ...file }) => ({ path: credentialsPath(name), ...file })),
  ...manifest.files.map((file) => ({ ...file, path: `home/${file.path}` })),
  ...manifest.blobs.map(([hash, sizeBytes]) => ({ path: blobPath(hash), hash, sizeBytes })),
  ...manifest.pages,
];

export const tablePath = (name: string): string => `tables/${name}.jsonl`;
export const credentialsPath = (name: string): string => `credentials/${name}.jsonl`;

/** Reads the manifest. Throws `backup.not-found` for another folder or an incomplete export, and `backup.damaged`. */
export const readExport = async (folder: string): Promise<ExportManifest> => {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOTDIR") return undefined;
    return undefinedIfMissing(error);
  });
  if (text === undefined) throw noExportError(folder);
  const unsealed = unseal(text, ExportManifest, FORMAT);
  if (unsealed.kind === "sealed") return unsealed.manifest;
  throw new HearthError("backup.damaged", `The export ${folder} cannot be used: ${unsealed.why}.`, {
    hint: "Nothing was imported. Make the export again: hearth export DIR",
  });
};

const noExportError = (folder: string): HearthError => {
  if (!existsSync(folder))
    return new HearthError("backup.not-found", `There is no folder ${folder}.`, {
      hint: "Give the folder of the export: hearth import hearth DIR",
    });
  return existsSync(join(folder, INCOMPLETE))
    ? new HearthError(
        "backup.not-found",
        `The export ${folder} is not complete: it was interrupted or is still running.`,
        {
          hint: `Nothing was imported. Make the export again: hearth export ${folder}`,
        },
      )
    : new HearthError("backup.not-found", `${folder} is not an export of Hearth: it has no ${MANIFEST}.`, {
        hint: "Give the folder of the export: hearth import hearth DIR",
      });
};
