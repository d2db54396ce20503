/** Brain folders on disk. */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Durability, HearthError } from "@hearth/protocol";
import type { BrainDisk } from "../../agents/brains/disk.ts";
import { createBunBrainTree } from "./brain-tree.ts";

export const createBunBrainDisk = (root: string, options: { readonly durability?: Durability } = {}): BrainDisk => ({
  tree: (folder) => createBunBrainTree(join(root, folder), options),
  // The root may be a link that the owner made. Users of this path follow no other links.
  absolute: (path) => join(existsSync(root) ? realpathSync(root) : root, path),
  async read(path) {
    try {
      return await readFile(join(root, path), "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  async write(path, text) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(`${target}.new`, text, { mode: 0o600 });
    await rename(`${target}.new`, target);
  },
  async makeFolder(path) {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // The import is lazy, because a start does not need it.
    const { openPlainFolder } = await import("./plain-folder.ts");
    try {
      openPlainFolder(realpathSync(root), path.split("/"), "create")[Symbol.dispose]();
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      throw new HearthError("brain.path", `Cannot create the folder ${path}: a part of the path is a link or a file.`, {
        hint: "Remove the link or file from the path.",
        cause,
      });
    }
  },
  async copy(from, names, to) {
    const target = join(root, to);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const name of names) {
      // Links are copied as links and lead nowhere inside the copy.
      const source = join(root, from, name);
      // A file that was removed from a folder must be removed from its copy.
      await rm(join(target, name), { recursive: true, force: true });
      if (existsSync(source)) await cp(source, join(target, name), { recursive: true, verbatimSymlinks: true });
    }
    // A cell has its workspace mounted there. Removing the mount point would remove the workspace from the cell.
    const keptNames = new Set([...names, "workspace"]);
    for (const name of await readdir(target))
      if (!keptNames.has(name)) await rm(join(target, name), { recursive: true, force: true });
  },
  async folders() {
    try {
      const entries = await readdir(root, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  },
});

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Reads every file of the starter brain, by path. */
export const readStarter = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const),
    ),
  );
};
