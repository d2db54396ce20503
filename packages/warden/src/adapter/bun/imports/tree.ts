/**
 * Reads the files of a source. Follows no link below the source, and never opens a file for
 * writing.
 */
import { createWriteStream } from "node:fs";
import { constants, type FileHandle, lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { MAX_BRAIN_TEXT_BYTES } from "@hearth/protocol";
import { z } from "zod";

export type ReadText = { readonly text: string } | { readonly why: string };

/**
 * Returns the sorted paths of the files and links below a folder, relative to the source. Returns
 * no paths if the folder does not exist or is a link.
 */
export const listFiles = async (root: string, folder: string): Promise<readonly string[]> => {
  if (await hasLink(root, folder)) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const paths: string[] = [];
  for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) paths.push(...(await listFiles(root, path)));
    else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
  }
  return paths;
};

/** Returns the names in a folder. Returns no names if the folder does not exist or is a link. */
export const listNames = async (root: string, folder: string): Promise<readonly string[]> => {
  if (await hasLink(root, folder)) return [];
  return (await readdir(join(root, folder)).catch(() => [])).toSorted((a, b) => a.localeCompare(b));
};

/**
 * Reads a text. Returns undefined if the file does not exist. The default of `maxBytes` is the
 * limit of a brain file.
 */
export const readText = async (
  root: string,
  path: string,
  maxBytes: number = MAX_BRAIN_TEXT_BYTES,
): Promise<ReadText | undefined> => {
  if (await hasLink(root, path)) return { why: LINK_REASON };
  const facts = await lstat(join(root, path)).catch(() => undefined);
  if (facts?.isFile() !== true) return undefined;
  if (facts.size > maxBytes) return { why: `is larger than ${maxBytes / 1024 / 1024} MiB` };
  const bytes = await readInside(root, path, maxBytes);
  if (bytes === undefined) return { why: LINK_REASON };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { why: "is not UTF-8 text" };
  }
};

const LINK_REASON = "is a link, or is below one, and links are not followed";

/**
 * Copies a file to a new path outside the source. Returns undefined if the file does not exist, and
 * the reason if it cannot be copied.
 */
export const copyFileFrom = async (
  root: string,
  path: string,
  to: string,
  maxBytes: number,
): Promise<"copied" | { readonly why: string } | undefined> => {
  if (await hasLink(root, path)) return { why: LINK_REASON };
  const facts = await lstat(join(root, path)).catch(() => undefined);
  if (facts?.isFile() !== true) return undefined;
  if (facts.size > maxBytes) return { why: `is larger than ${maxBytes / 1024 / 1024} MiB` };
  await using file = await openInside(root, path, maxBytes);
  if (file === undefined) return { why: LINK_REASON };
  await pipeline(file.createReadStream({ autoClose: false }), createWriteStream(to, { flags: "wx", mode: 0o600 }));
  return "copied";
};

const readInside = async (root: string, path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
  await using file = await openInside(root, path, maxBytes);
  return await file?.readFile();
};

/**
 * Opens a file, whose path can no longer lead to another file. Returns undefined if a part of the
 * path became a link after it was checked, or the file grew beyond `maxBytes`.
 */
const openInside = async (root: string, path: string, maxBytes: number): Promise<FileHandle | undefined> => {
  const fullPath = join(root, path);
  const file = await open(fullPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const openStat = await file.stat();
    const expected = join(await realpath(root), path);
    const pathStat = await stat(expected);
    const isSame =
      (await realpath(fullPath)) === expected && pathStat.ino === openStat.ino && pathStat.dev === openStat.dev;
    if (isSame && openStat.isFile() && openStat.size <= maxBytes) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
};

/** Whether a part of the path is a link. The root may be a link. */
const hasLink = async (root: string, path: string): Promise<boolean> => {
  if (path === "") return false;
  const parts = path.split("/");
  for (const index of parts.keys()) {
    const facts = await lstat(join(root, ...parts.slice(0, index + 1))).catch(() => undefined);
    if (facts?.isSymbolicLink() === true) return true;
  }
  return false;
};

/** Reads a list from a JSON file. A value that does not match the schema becomes undefined. */
export const readList = async <Schema extends z.ZodType>(
  root: string,
  path: string,
  key: string,
  schema: Schema,
): Promise<readonly (z.infer<Schema> | undefined)[] | { readonly why: string } | undefined> => {
  const content = await readText(root, path);
  if (content === undefined || "why" in content) return content;
  try {
    const values = z.object({ [key]: z.array(z.unknown()).default([]) }).parse(JSON.parse(content.text))[key] ?? [];
    return values.map((value) => schema.safeParse(value).data);
  } catch {
    return { why: "has another form than expected" };
  }
};
