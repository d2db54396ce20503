/**
 * The key of the audit log: a file of the home that no cell sees, created once with the home's
 * first log.
 */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError, type World } from "@hearth/protocol";
import { replaceFile } from "../replace-file.ts";

/** The key file, relative to the home folder. */
export const KEY_FILE = "keys/audit.key";
const KEY_SIZE = 32;

/**
 * Reads the key. Returns undefined if there is none. Throws `store.damaged` for an invalid key, and
 * `home.read-only`.
 */
export const readAuditKey = async (home: string): Promise<Uint8Array | undefined> => {
  try {
    const key = toAuditKey(await readFile(join(home, KEY_FILE), "utf8"));
    if (key !== undefined) return key;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new HearthError("home.read-only", `Hearth cannot read ${KEY_FILE} in its home ${home}.`, {
      hint: "Give the user that runs Hearth permission to read it.",
      cause,
    });
  }
  throw new HearthError("store.damaged", `${KEY_FILE} in ${home} is not a valid key of an audit log.`, {
    hint: RESTORE_KEY_HINT,
  });
};

/** Returns the key in the text of a key file, or undefined if it is invalid. */
export const toAuditKey = (text: string): Uint8Array | undefined =>
  /^[0-9a-f]{64}$/.test(text.trim()) ? new Uint8Array(Buffer.from(text.trim(), "hex")) : undefined;

/** Creates a new key. Durable when the promise resolves. */
export const makeAuditKey = async (home: string, { random }: Pick<World, "random">): Promise<Uint8Array> => {
  const path = join(home, KEY_FILE);
  const key = random(KEY_SIZE);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    await replaceFile(path, `${Buffer.from(key).toString("hex")}\n`);
  } catch (cause) {
    throw new HearthError("home.read-only", `Hearth cannot write ${KEY_FILE} in its home ${home}.`, {
      hint: "Give the user that runs Hearth permission to write it, check that the disk has free space, and try again.",
      cause,
    });
  }
  return key;
};

export const RESTORE_KEY_HINT =
  "Restore it from a backup. If it is lost, move the home's `audit` folder elsewhere: Hearth then creates a new key, and rows that were sealed with the old key can no longer be verified.";
