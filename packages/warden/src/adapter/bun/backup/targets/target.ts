/** A place elsewhere that holds backups: objects with keys, as in a folder of backups. */
import { HearthError } from "@hearth/protocol";
import type { Digest } from "../backup-disk.ts";

export interface TargetObject {
  /** For example `backup-000001.json` or `objects/ab/abcd…`. */
  readonly key: string;
  readonly sizeBytes: number;
}

/** A file of this machine with the SHA-256 of its bytes. */
export interface TargetFile extends Digest {
  readonly path: string;
}

/**
 * Contract, checked by `backupTargetConformance`:
 * - `put` makes the whole file visible under its key, or leaves what was there; it replaces an
 *   object
 * - `put` refuses a file whose bytes do not have the stated hash, with `backup.damaged`
 * - `get` writes the whole object to a new file and returns the digest of the bytes, or undefined
 *   if there is no such object. A connection that ends early is a failure, never a short file.
 * - `list` returns every object whose key starts with the prefix, in any order, however many there
 *   are, and nothing that a `put` left unfinished
 * - `delete` removes an object; if it is missing, the call succeeds
 * - `removeIncomplete` removes what unfinished calls of `put` left. No other process may put at
 *   that time.
 * - a refused login is `backup.refused`, and a target that does not answer `backup.unreachable`
 * - an object is visible to every client once `put` has resolved
 */
export interface BackupTarget extends AsyncDisposable {
  /** The address for people, without credentials. */
  readonly name: string;
  put(key: string, file: TargetFile): Promise<void>;
  get(key: string, path: string): Promise<Digest | undefined>;
  list(prefix: string): Promise<readonly TargetObject[]>;
  delete(key: string): Promise<void>;
  removeIncomplete(): Promise<void>;
}

export const refusedError = (name: string, why: string, hint: string, cause?: unknown): HearthError =>
  new HearthError("backup.refused", `${name} refused access: ${why}.`, { hint, cause });

export const unreachableError = (name: string, why: string, cause?: unknown): HearthError =>
  new HearthError("backup.unreachable", `${name} cannot be reached: ${why}.`, {
    hint: "Check the address and the network, then try again. Earlier backups are intact.",
    cause,
  });

export const changedFileError = (path: string): HearthError =>
  new HearthError("backup.damaged", `${path} changed while it was sent, so it was not stored.`, {
    hint: "Check the disk of the home for errors, then make the backup again.",
  });
