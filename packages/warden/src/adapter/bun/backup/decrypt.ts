/** Decrypts a backup into a folder of plain backups, from which it is verified and restored. */
import { open } from "node:fs/promises";
import { HearthError, isHearthError } from "@hearth/protocol";
import { createDecryption } from "./age.ts";
import { type BackupDisk, type Chunks, createBackupDisk } from "./backup-disk.ts";
import { objectPath } from "./backup-folder.ts";
import { openBackupWriter } from "./backup-writer.ts";
import { contentsOf, type Manifest, SealedContents, unseal } from "./manifest.ts";
import { chunksOf } from "./read-file.ts";

export interface DecryptOptions {
  /** The text of a file of `age-keygen`. */
  readonly identity: string | undefined;
  /** The folder of the encrypted backup. Its objects were compared with their names. */
  readonly from: string;
  readonly manifest: Manifest;
  /** A folder that is missing or was interrupted. */
  readonly to: string;
  readonly disk?: BackupDisk;
}

/**
 * Decrypts a backup. Throws `backup.locked` without an identity or if it does not match, and
 * `backup.damaged`.
 */
export const decryptBackup = async (options: DecryptOptions): Promise<void> => {
  const { identity, from, manifest, to, disk = createBackupDisk() } = options;
  if (identity === undefined)
    throw new HearthError("backup.locked", `Backup ${manifest.number} is encrypted.`, {
      hint: "Give the file with the secret key of one of its recipients: --identity FILE",
    });
  const { encrypted } = manifest;
  if (encrypted === undefined) throw new Error(`backup ${manifest.number} is not encrypted`);
  const decryption = await createDecryption(identity);
  const useDecrypted = async <Result>(name: string, use: (chunks: Chunks) => Promise<Result>): Promise<Result> => {
    await using file = await open(objectPath(from, name), "r");
    try {
      return await use(await decryption.decrypt(chunksOf(file)));
    } catch (cause) {
      throw isHearthError(cause) ? cause : damagedError(name, cause);
    }
  };
  const text = await useDecrypted(encrypted.contents, readText);
  const unsealed = unseal(text, SealedContents, 0);
  if (unsealed.kind === "damaged") throw damagedError(encrypted.contents, unsealed.why);
  const { manifest: contents, names } = unsealed.manifest;
  using writer = await openBackupWriter(to, disk);
  for (const [hash, name] of names) {
    if (writer.has(hash)) continue;
    const digest = await useDecrypted(name, (chunks) => writer.add(chunks));
    if (digest.hash === hash) continue;
    throw damagedError(contentsOf(contents).find((file) => file.hash === hash)?.path ?? name);
  }
  await writer.seal(contents);
};

const readText = async (chunks: Chunks): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString("utf8");
};

const damagedError = (subject: string, cause?: unknown): HearthError =>
  new HearthError("backup.damaged", `${subject} of the encrypted backup is damaged.`, {
    hint: "Use another backup: hearth backup list --from DIR",
    cause,
  });
