/**
 * Lists the files of the home folder with their modes. Links are skipped, because the mode of a
 * link does not protect its target.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HomeFile } from "../../http/security/view.ts";

/** Folders with many small files, which are protected by the mode of the folder. */
const PROTECTED_FOLDERS: ReadonlySet<string> = new Set(["brains", "blobs", "cache"]);
const MAX_FILES = 2000;
const MODE_BITS = 0o7777;

/** Lists the files. `home` is an absolute path. Returns an empty list if there is no folder. */
export const listHomeFiles = async (home: string): Promise<readonly HomeFile[]> => {
  const homeFiles: HomeFile[] = [];
  const visit = async (path: string): Promise<void> => {
    const stat = await lstat(join(home, path)).catch(() => undefined);
    if (stat === undefined || homeFiles.length >= MAX_FILES) return;
    if (!stat.isFile() && !stat.isDirectory()) return;
    homeFiles.push({
      path,
      mode: stat.mode & MODE_BITS,
      kind: stat.isDirectory() ? "folder" : "file",
      isOurs: stat.uid === process.getuid?.(),
    });
    if (!stat.isDirectory() || PROTECTED_FOLDERS.has(path)) return;
    const names = await readdir(join(home, path)).catch(() => []);
    for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) await visit(path === "." ? name : `${path}/${name}`);
  };
  await visit(".");
  return homeFiles;
};
