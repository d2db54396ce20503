/** Reads the blobs of a home, whose daemon may be running, and changes nothing. */
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import { blobPath } from "./manifest.ts";
import { undefinedIfMissing } from "./read-file.ts";

export interface HomeBlobs extends Pick<Blobs, "get"> {
  /** Opens a blob. Returns undefined if it is missing. */
  open(hash: string): Promise<FileHandle | undefined>;
  /** Returns the hash of every blob. */
  list(): Promise<readonly string[]>;
}

const NAME = /^[0-9a-f]{2}\/([0-9a-f]{64})$/;

export const createHomeBlobs = (home: string): HomeBlobs => ({
  open: (hash) => open(join(home, blobPath(hash)), "r").catch(undefinedIfMissing),
  async list() {
    const names = (await readdir(join(home, "blobs"), { recursive: true }).catch(undefinedIfMissing)) ?? [];
    return names.flatMap((name) => NAME.exec(name)?.[1] ?? []);
  },
  async get(hash) {
    const bytes = await readFile(join(home, blobPath(hash))).catch(undefinedIfMissing);
    if (bytes !== undefined && new Bun.CryptoHasher("sha256").update(bytes).digest("hex") !== hash)
      throw new HearthError("store.damaged", `The blob ${hash} of ${home} is damaged.`, {
        hint: "Restore the file from an older backup, and check the disk for errors.",
      });
    return bytes;
  },
});
