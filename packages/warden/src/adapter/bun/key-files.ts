/** Keys of providers on this machine's disk: those that the house keeps itself, and those that the config points at. */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { HearthError } from "@hearth/protocol";
import { type KeyFiles, keyPath } from "../../providers/key-files.ts";
import { removeFile, replaceFile } from "./replace-file.ts";

/** `home`: absolute path of the home folder. Throws `home.read-only`. */
export const createBunKeyFiles = (home: string): KeyFiles => {
  /** The folder is there and the owner's alone before anything is in it. */
  const place = async (name: string): Promise<string> => {
    const path = join(home, keyPath(name));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    return path;
  };
  const orSay = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      throw new HearthError("home.read-only", `Hearth cannot write ${path} in its home ${home}.`, {
        hint: "Make it writable for you, see that the disk has room, and try again.",
        cause,
      });
    }
  };
  return {
    async keep(name, key) {
      await orSay(keyPath(name), async () => replaceFile(await place(name), key));
    },
    async drop(name) {
      await orSay(keyPath(name), async () => removeFile(await place(name)));
    },
  };
};

/** Reads what the config points at; nothing where none can be read. A relative path starts at the home folder. */
export const createKeyReader =
  (home: string) =>
  async (path: string): Promise<string | undefined> => {
    try {
      return await readFile(isAbsolute(path) ? path : join(home, path), "utf8");
    } catch (error) {
      // Missing, a folder, not ours: whoever asked says so with the name of the file.
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    }
  };
