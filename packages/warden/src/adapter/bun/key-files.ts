/**
 * Keys of providers and channels on this machine's disk: those that the house stores, and those that the config
 * refers to.
 */
import { chmod, constants, mkdir, open, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { HearthError, isHearthError } from "@hearth/protocol";
import { isKeyName, type KeyFiles, keyPath } from "../../kernel/config/key-files.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

/** `home`: absolute path of the home folder. Throws `home.read-only`. */
export const createBunKeyFiles = (home: string): KeyFiles => {
  /** Creates the folder of a key, with access for the owner only, before any file. Returns the path of the key. */
  const prepareFolder = async (name: string): Promise<string> => {
    const path = join(home, keyPath(name));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    return path;
  };
  const withWriteError = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      throw new HearthError("home.read-only", `Hearth cannot write ${path} in its home ${home}.`, {
        hint: "Give your user permission to write it, check that the disk has free space, and try again.",
        cause,
      });
    }
  };
  return {
    async write(name, key) {
      await withWriteError(keyPath(name), async () => replaceFile(await prepareFolder(name), key));
    },
    async remove(name) {
      await withWriteError(keyPath(name), async () => removeFile(await prepareFolder(name)));
    },
  };
};

/**
 * Reads the files that `file:` references in the config name. Returns undefined when no regular
 * file can be read. A relative path starts at the home folder. Throws `config.invalid` for Hearth's
 * own files in the home, also when a link leads there.
 */
export const createKeyReader =
  (home: string) =>
  async (path: string): Promise<string | undefined> => {
    try {
      return await readUnlessOwn(home, path);
    } catch (error) {
      // The file is missing, a folder, or not readable. The caller reports this with the file's name.
      if (error instanceof Error && "code" in error && !isHearthError(error)) return undefined;
      throw error;
    }
  };

const readUnlessOwn = async (home: string, path: string): Promise<string | undefined> => {
  // Opening a FIFO would wait for its writer.
  await using file = await open(isAbsolute(path) ? path : join(home, path), constants.O_RDONLY | constants.O_NONBLOCK);
  const openStats = await file.stat();
  if (!openStats.isFile()) return undefined;
  const resolvedPath = await realpath(isAbsolute(path) ? path : join(home, path));
  const pathStat = await stat(resolvedPath);
  // A link may change between the two calls: the path that is checked must be that of the open
  // file.
  if (pathStat.ino !== openStats.ino || pathStat.dev !== openStats.dev) return undefined;
  // A second hard link would give one of Hearth's files a path elsewhere.
  if (openStats.nlink !== 1 || isHearthFile(relative(await realpath(home), resolvedPath))) {
    throw new HearthError("config.invalid", `${path} belongs to Hearth or has several hard links`, {
      hint: "Put the key into a separate file, next to hearth.toml or outside the home.",
    });
  }
  return file.readFile("utf8");
};

/**
 * Whether a path, relative to the home, is one of Hearth's own files: everything in a folder of the
 * home, and files whose names Hearth uses. Only keys that the owner put beside hearth.toml, and
 * kept keys, may be read.
 */
const isHearthFile = (path: string): boolean => {
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return false;
  const [topName = "", ...otherNames] = path.split(sep);
  if (otherNames.length === 0) return topName.startsWith("hearth.") || topName.startsWith(".");
  return !(topName === "keys" && otherNames.length === 1 && isKeyName(otherNames[0] ?? ""));
};
