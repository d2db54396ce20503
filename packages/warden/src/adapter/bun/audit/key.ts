/**
 * The keys of the audit log: a file of the home that no cell sees. It is created with the home's
 * first log. The present key is its first line. The keys that it replaced follow, because they
 * verify the rows that they sealed.
 */
import { chmod, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HearthError, type World } from "@hearth/protocol";
import {
  createReplaceableKeys,
  createSealKeys,
  type ReplaceableKeys,
  type SealKeys,
} from "../../../kernel/store/seal.ts";
import { replaceFile } from "../replace-file.ts";
import { createBunHmac } from "./hmac.ts";

/** The key file, relative to the home folder. */
export const KEY_FILE = "keys/audit.key";
const KEY_SIZE = 32;

/** The content of a key file. */
export interface StoredKeys {
  /** The keys, oldest first. The last one is the present key. */
  readonly confirmed: readonly Uint8Array[];
  /** The key of a rotation that is not complete. */
  readonly next?: Uint8Array;
}

/**
 * Reads the keys. Returns undefined if there is no file. Throws `store.damaged` for an invalid file,
 * and `home.read-only`.
 */
export const readAuditKeys = async (home: string): Promise<StoredKeys | undefined> => {
  try {
    const keys = parseAuditKeys(await readFile(join(home, KEY_FILE), "utf8"));
    if (keys !== undefined) return keys;
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

const KEY_LINE = /^(next )?([0-9a-f]{64})$/;

/** Returns the keys in the text of a key file, or undefined if it is invalid. */
export const parseAuditKeys = (text: string): StoredKeys | undefined => {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => KEY_LINE.exec(line));
  const keys = lines.map((line) => new Uint8Array(Buffer.from(line?.[2] ?? "", "hex")));
  const isNext = lines.map((line) => line?.[1] !== undefined);
  const lastIndex = keys.length - 1;
  if (lines.includes(null) || isNext[0] === true || isNext.slice(0, lastIndex).includes(true)) return undefined;
  const nextKey = isNext[lastIndex] === true ? keys.pop() : undefined;
  return { confirmed: keys.toReversed(), ...(nextKey === undefined ? {} : { next: nextKey }) };
};

const toText = ({ confirmed, next }: StoredKeys): string => {
  const lines = confirmed.toReversed().map(toHex);
  return [...lines, ...(next === undefined ? [] : [`next ${toHex(next)}`]), ""].join("\n");
};

const toHex = (key: Uint8Array): string => Buffer.from(key).toString("hex");

/** Returns the keys for a reader. */
export const toSealKeys = ({ confirmed, next }: StoredKeys): SealKeys =>
  createSealKeys(confirmed.map(createBunHmac), next === undefined ? undefined : createBunHmac(next));

/** Opens the keys. `stored` is undefined in a new home, which then gets its first key. */
export const openAuditKeys = async (
  home: string,
  stored: StoredKeys | undefined,
  { random }: Pick<World, "random">,
): Promise<ReplaceableKeys> => {
  let keys = stored ?? { confirmed: [random(KEY_SIZE)] };
  const write = async (newKeys: StoredKeys): Promise<void> => {
    await writeKeys(home, toText(newKeys));
    keys = newKeys;
  };
  if (stored === undefined) await write(keys);
  return createReplaceableKeys(toSealKeys(keys), {
    async add() {
      const nextKey = random(KEY_SIZE);
      await write({ confirmed: keys.confirmed, next: nextKey });
      return createBunHmac(nextKey);
    },
    async confirm() {
      const { confirmed, next } = keys;
      if (next !== undefined) await write({ confirmed: [...confirmed, next] });
    },
  });
};

/** Writes the key file, which is durable when the promise resolves. Throws `home.read-only`. */
const writeKeys = async (home: string, text: string): Promise<void> => {
  const path = join(home, KEY_FILE);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    await replaceFile(path, text);
  } catch (cause) {
    throw new HearthError("home.read-only", `Hearth cannot write ${KEY_FILE} in its home ${home}.`, {
      hint: "Give the user that runs Hearth permission to write it, check that the disk has free space, and try again.",
      cause,
    });
  }
};

export const RESTORE_KEY_HINT =
  "Restore it from a backup. If it is lost, move the home's `audit` folder elsewhere: Hearth then creates a new key, and rows that were sealed with the old key can no longer be verified.";
