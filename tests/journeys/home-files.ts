/** Reads all files of a home while its house runs. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * All files, by path in the home. If a file disappears during the read, the listing is repeated.
 */
export const readHome = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  for (;;) {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const held = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)));
    const found = files.flatMap((file, index) => {
      const bytes = held[index];
      return bytes === undefined ? [] : [[file.slice(folder.length + 1), bytes] as const];
    });
    if (found.length === files.length) return new Map(found);
  }
};
