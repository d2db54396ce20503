/** What lies in the home folder, with its modes. Links are passed over: what counts is what they lead to, and that has a mode of its own. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HomeFile } from "../../http/security/view.ts";

/** Many small files, which are as safe as the folder that they are in. */
const CLOSED: ReadonlySet<string> = new Set(["brains", "blobs", "cache"]);
const MAX_FILES = 2000;
const BITS = 0o7777;

/** `home`: absolute path. Nothing where there is no folder. */
export const listHomeFiles = async (home: string): Promise<readonly HomeFile[]> => {
  const found: HomeFile[] = [];
  const visit = async (path: string): Promise<void> => {
    const stat = await lstat(join(home, path)).catch(() => undefined);
    if (stat === undefined || found.length >= MAX_FILES) return;
    if (!stat.isFile() && !stat.isDirectory()) return;
    found.push({
      ...{ path, mode: stat.mode & BITS, kind: stat.isDirectory() ? "folder" : "file" },
      isOurs: stat.uid === process.getuid?.(),
    });
    if (!stat.isDirectory() || CLOSED.has(path)) return;
    const names = await readdir(join(home, path)).catch(() => []);
    for (const name of names.toSorted((one, other) => (one < other ? -1 : 1)))
      await visit(path === "." ? name : `${path}/${name}`);
  };
  await visit(".");
  return found;
};
