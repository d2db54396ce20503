/**
 * A backup target in a folder, such as a mounted share of another machine. It needs neither locks
 * of the file system nor links.
 */
import { open, readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { BackupDisk } from "../backup-disk.ts";
import { chunksOf, undefinedIfMissing } from "../read-file.ts";
import { type BackupTarget, type TargetObject, changedFileError } from "./target.ts";

const DRAFTS = "drafts";

export const createFolderTarget = (folder: string, disk: BackupDisk): BackupTarget => ({
  name: `file://${folder}`,
  async put(key, { path, hash }) {
    const draft = join(folder, DRAFTS, crypto.randomUUID());
    await disk.makeFolder(dirname(draft));
    await using file = await open(path, "r");
    const digest = await disk.write(draft, chunksOf(file));
    if (digest.hash !== hash) {
      await disk.remove(draft);
      throw changedFileError(path);
    }
    const objectPath = join(folder, key);
    await disk.makeFolder(dirname(objectPath));
    await disk.rename(draft, objectPath);
    await disk.syncFolder(dirname(objectPath));
  },
  async get(key, path) {
    const file = await open(join(folder, key), "r").catch(undefinedIfMissing);
    if (file === undefined) return undefined;
    await using openFile = file;
    return await disk.write(path, chunksOf(openFile));
  },
  async list(prefix) {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
    const keys = names
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((key) => key.startsWith(prefix) && !key.startsWith(`${DRAFTS}/`));
    const objects: TargetObject[] = [];
    for (const key of keys) {
      const { size } = (await stat(join(folder, key)).catch(undefinedIfMissing)) ?? {};
      // Without a size, another process has just removed the object.
      if (size !== undefined) objects.push({ key, sizeBytes: size });
    }
    return objects;
  },
  delete: (key) => disk.remove(join(folder, key)),
  removeIncomplete: () => disk.remove(join(folder, DRAFTS)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});
