/**
 * Stores the vault's key in a file of the home that only its owner can read. It is as safe as the
 * home.
 */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError, type World } from "@hearth/protocol";
import { KEY_SIZE } from "../../../policy/secrets/aead.ts";
import type { KeySource } from "../../../policy/secrets/key-source.ts";
import { removeFile, replaceFile } from "../replace-file.ts";

/**
 * The folder, relative to the home folder. Without the key in it, a copy of the database is
 * useless.
 */
export const KEY_FOLDER = "vault";

/** Creates the key source. `home` is the absolute path of the home folder. */
export const createFileKeySource = (home: string, { random }: Pick<World, "random">): KeySource => {
  const folder = join(home, KEY_FOLDER);
  const path = (id: string): string => join(folder, `${id}.key`);
  const keyFileError = (id: string, operation: string, cause: unknown): HearthError =>
    new HearthError("secret.locked", `Hearth cannot ${operation} ${KEY_FOLDER}/${id}.key in its home ${home}.`, {
      hint: "Give the user that runs Hearth permission to read and write it, check that the disk has free space, and try again.",
      cause,
    });
  return {
    traits: { asksPassphrase: false },

    async make(id) {
      const key = random(KEY_SIZE);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        await replaceFile(path(id), `${Buffer.from(key).toString("hex")}\n`);
      } catch (cause) {
        throw keyFileError(id, "write", cause);
      }
      return { key, about: "" };
    },

    async find(id) {
      try {
        const text = (await readFile(path(id), "utf8")).trim();
        return /^[0-9a-f]{64}$/.test(text) ? new Uint8Array(Buffer.from(text, "hex")) : new Uint8Array(KEY_SIZE);
      } catch (cause) {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
        throw keyFileError(id, "read", cause);
      }
    },

    async drop(id) {
      try {
        await removeFile(path(id));
      } catch (cause) {
        if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return;
        throw keyFileError(id, "remove", cause);
      }
    },
  };
};
