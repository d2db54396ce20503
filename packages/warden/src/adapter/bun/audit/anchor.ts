/**
 * Stores heads of the audit log in files of the home: `audit/heads.json`, and
 * `audit/lost-INSTANT.json` for heads that were set aside.
 */
import { chmod, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { AuditHead } from "@hearth/protocol";
import { z } from "zod";
import type { Anchor } from "../../../kernel/audit/heads.ts";
import { replaceFile } from "../replace-file.ts";

/** The folder, relative to the home folder. */
export const ANCHOR_FOLDER = "audit";
const HEADS_FILE = "heads.json";
const LOST_FILE = /^lost-\d+\.json$/;

const Heads = z.array(AuditHead);

/** Returns the heads of an anchor with these files. */
export const readAnchor = async (
  names: readonly string[],
  read: (name: string) => Promise<string | undefined>,
): ReturnType<Anchor["read"]> => {
  /** The heads of a file, or `broken`. */
  const readHeads = async (name: string): Promise<readonly AuditHead[] | "broken"> => {
    const text = await read(name);
    if (text === undefined) return [];
    try {
      // The heads are parsed once, at the start, so compiling the schema does not pay off.
      return Heads.parse(JSON.parse(text), { jitless: true });
    } catch {
      return "broken";
    }
  };
  const headLists = await Promise.all(
    [HEADS_FILE, ...names.filter((name) => LOST_FILE.test(name)).toSorted()].map(readHeads),
  );
  const [heads = [], ...lostHeads] = headLists.map((list) => (list === "broken" ? [] : list));
  return { heads, lost: lostHeads.flat(), isBroken: headLists.includes("broken") };
};

/** Creates the anchor. `home` is the absolute path of the home folder. */
export const createAnchorFiles = (home: string): Anchor => {
  const folder = join(home, ANCHOR_FOLDER);
  const path = (name: string): string => join(folder, name);
  let isFolderReady = false;

  return {
    read: async () =>
      readAnchor((await undefinedIfMissing(readdir(folder))) ?? [], (name) =>
        undefinedIfMissing(readFile(path(name), "utf8")),
      ),
    async write(heads) {
      if (!isFolderReady) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        isFolderReady = true;
      }
      await replaceFile(path(HEADS_FILE), `[${heads.map((head) => JSON.stringify(head)).join(",\n")}]\n`);
    },
    async setAside(at) {
      await undefinedIfMissing(rename(path(HEADS_FILE), path(`lost-${at}.json`)));
    },
  };
};

const undefinedIfMissing = async <Answer>(work: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};
