/**
 * A secret in every house that a journey starts, and a look for it in all that the house leaves: files of its home, whatever the daemon
 * and its cells wrote there, and what it said. Whoever leaks it makes the journey fail that shows it.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One for each process of the test run. Its signs are written otherwise in every encoding. */
export const CANARY = `canary+/${randomBytes(24).toString("base64url")}/?&"`;
const NAME = "CANARY";

/** Where the test run counts, if it does. */
const COUNT = process.env["HEARTH_CANARY_COUNT"];

/** Keeps it in the first house, unless it is there already. A house that takes no writes goes without. */
export const seedCanary = async (url: string, token: string): Promise<void> => {
  const response = await fetch(`${url}/api/houses/home/secrets`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: NAME, value: CANARY }),
  });
  await response.body?.cancel();
};

/** As it would stand there: plain, in JSON and URLs, in hex, and in base64 wherever in a group of three bytes it begins. */
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

/** Files below a folder that hold it. */
export const findCanary = (folder: string): readonly string[] => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => holdsCanary(readOr(file))).map((file) => file.slice(folder.length + 1));
};

/** Nothing of a file that has gone since it was listed: what a killed house leaves running tidies up after itself. */
const readOr = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
};

/** Throws for a home that has it anywhere. */
export const requireNoCanary = (folder: string): void => {
  const found = findCanary(folder);
  if (COUNT !== undefined) appendFileSync(COUNT, `${found.length === 0 ? "clean" : "leaked"}\n`);
  if (found.length > 0) throw new Error(`A secret stands in the home, in ${found.join(", ")}.`);
};

/** Throws for words of a daemon that have it. */
export const requireSilent = (words: string): void => {
  if (holdsCanary(words)) throw new Error("The daemon said a secret.");
};
