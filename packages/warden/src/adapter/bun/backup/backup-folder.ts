/**
 * Reads a folder of backups. `backup-NUMBER.json` is the manifest of a backup, and
 * `objects/ab/abcd…` a file by its hash, which several backups can share. A backup exists once its
 * manifest has this name.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { contentsOf, type Manifest, readManifest } from "./manifest.ts";
import { codeOf, undefinedIfMissing } from "./read-file.ts";

/** Matches the name of a manifest. */
export const MANIFEST = /^backup-(\d{6,})\.json$/;
const HASH = /^[0-9a-f]{64}$/;

export type ListedBackup = { readonly number: number } & (
  | { readonly state: "complete"; readonly manifest: Manifest }
  | { readonly state: "damaged"; readonly manifest?: Manifest; readonly problem: string }
);

export const manifestPath = (folder: string, number: number): string =>
  join(folder, `backup-${String(number).padStart(6, "0")}.json`);

export const objectsPath = (folder: string): string => join(folder, "objects");

export const objectPath = (folder: string, hash: string): string => join(objectsPath(folder), hash.slice(0, 2), hash);

/** Returns the hashes of all objects in the folder. */
export const listObjects = async (folder: string): Promise<ReadonlySet<string>> => {
  const objects = objectsPath(folder);
  const shards = (await readdir(objects).catch(undefinedIfMissing)) ?? [];
  const names = await Promise.all(
    shards.map((shard) =>
      readdir(join(objects, shard)).catch((error: unknown) => {
        if (codeOf(error) !== "ENOTDIR") throw error;
        return [];
      }),
    ),
  );
  return new Set(names.flat().filter((name) => HASH.test(name)));
};

/**
 * Returns every backup, oldest first. Checks that each file is present, while `verifyBackup` also
 * reads the files. Throws `backup.not-found` if there is no such folder.
 */
export const listBackups = async (folder: string): Promise<readonly ListedBackup[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(cause))) throw cause;
    throw new HearthError("backup.not-found", `There is no folder ${folder}.`, {
      hint: "Give the folder of the backups: --from DIR",
      cause,
    });
  });
  const objects = await listObjects(folder);
  const numbers = names.flatMap((name) => MANIFEST.exec(name)?.[1] ?? []).map(Number);
  const backups: ListedBackup[] = [];
  // Manifests are read one at a time, because a manifest may be large.
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const text = await readFile(manifestPath(folder, number), "utf8").catch(undefinedIfMissing);
    // Without a text, another process has just removed the manifest.
    if (text !== undefined) backups.push(toListed(number, text, objects));
  }
  return backups;
};

/** `objects` holds the hashes that are present. */
export const toListed = (number: number, text: string, objects: ReadonlySet<string>): ListedBackup => {
  const result = readManifest(text);
  if (result.kind === "damaged") return { number, state: "damaged", problem: result.why };
  const { manifest } = result;
  if (manifest.number !== number)
    return { number, state: "damaged", problem: `its manifest is that of backup ${manifest.number}` };
  const missingFiles = contentsOf(manifest).filter(({ hash }) => !objects.has(hash));
  if (missingFiles.length === 0) return { number, state: "complete", manifest };
  return { number, state: "damaged", manifest, problem: `${describePaths(missingFiles)} missing` };
};

/** "a.md is" or "a.md, b.md and 3 more files are" */
const describePaths = (files: readonly { readonly path: string }[]): string => {
  const shownPaths = files.slice(0, MAX_NAMED_FILES).map(({ path }) => path);
  const moreCount = files.length - shownPaths.length;
  const list = moreCount === 0 ? shownPaths.join(", ") : `${shownPaths.join(", ")} and ${moreCount} more files`;
  return `${list} ${files.length === 1 ? "is" : "are"}`;
};
const MAX_NAMED_FILES = 3;

/**
 * Returns the backup of this number, or the newest complete one. A backup with a given number may
 * lack files, and `verifyBackup` names them. Throws `backup.not-found`, and `backup.damaged` if the
 * manifest of this number cannot be read.
 */
export const findBackup = async (folder: string, number: number | undefined): Promise<Manifest> =>
  pickBackup(await listBackups(folder), number, folder);

/** Chooses a backup as `findBackup` does, from the list of a folder or of a target. */
export const pickBackup = (backups: readonly ListedBackup[], number: number | undefined, folder: string): Manifest => {
  const hint = `List the backups: hearth backup list --from ${folder}`;
  if (number === undefined) {
    const newestComplete = backups.findLast(({ state }) => state === "complete");
    if (newestComplete?.manifest !== undefined) return newestComplete.manifest;
    const newestBackup = backups.at(-1);
    const why =
      newestBackup?.state === "damaged" ? ` Backup ${newestBackup.number} is damaged: ${newestBackup.problem}.` : "";
    throw new HearthError("backup.not-found", `${folder} contains no complete backup.${why}`, { hint });
  }
  const chosenBackup = backups.find((backup) => backup.number === number);
  if (chosenBackup === undefined)
    throw new HearthError("backup.not-found", `${folder} contains no backup ${number}.`, { hint });
  if (chosenBackup.manifest !== undefined) return chosenBackup.manifest;
  const problem = chosenBackup.state === "damaged" ? chosenBackup.problem : "";
  throw new HearthError("backup.damaged", `Backup ${number} in ${folder} cannot be used: ${problem}.`, { hint });
};
