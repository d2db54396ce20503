/**
 * The canary: a secret in every house that a journey starts. When the journey ends, the files of
 * the home and the daemon's output are searched for it. A leak fails the journey.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One canary per process of the test run. Its characters differ in every encoding. */
export const CANARY = `canary+/${randomBytes(24).toString("base64url")}/?&"`;
const NAME = "CANARY";

/** The file in which the test run counts searches, if it does. */
const COUNT = process.env["HEARTH_CANARY_COUNT"];

/**
 * Stores the canary in the first house. Failures are ignored: it may exist, or the house may be
 * read-only.
 */
export const seedCanary = async (url: string, token: string): Promise<void> => {
  const response = await fetch(`${url}/api/houses/home/secrets`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: NAME, value: CANARY }),
  });
  await response.body?.cancel();
};

/** The canary's encodings: plain, JSON, URL, hex, and base64 at each alignment. */
const forms: readonly Buffer[] = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString("hex"),
  Buffer.from(CANARY).toString("hex").toUpperCase(),
  ...["", "x", "xy"].flatMap((before) =>
    (["base64", "base64url"] as const).map((encoding) =>
      Buffer.from(before + CANARY)
        .toString(encoding)
        .slice(4, -4),
    ),
  ),
].map((form) => Buffer.from(form));

export const holdsCanary = (bytes: string | Buffer): boolean => {
  const all = Buffer.from(bytes);
  return forms.some((form) => all.includes(form));
};

/** Files below a folder that contain the canary. */
export const findCanary = (folder: string): readonly string[] => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => holdsCanary(readOr(file))).map((file) => file.slice(folder.length + 1));
};

/**
 * Reads a file. Empty if it was removed after listing: processes of a killed house still clean up.
 */
const readOr = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
};

/** Throws if a file of the home contains the canary. */
export const requireNoCanary = (folder: string): void => {
  const found = findCanary(folder);
  if (COUNT !== undefined) appendFileSync(COUNT, `${found.length === 0 ? "clean" : "leaked"}\n`);
  if (found.length > 0) throw new Error(`The home contains a secret, in ${found.join(", ")}.`);
};

/** Throws if the output of a daemon contains the canary. */
export const requireSilent = (words: string): void => {
  if (holdsCanary(words)) throw new Error("The daemon printed a secret.");
};
