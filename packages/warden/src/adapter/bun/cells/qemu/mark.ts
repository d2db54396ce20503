/**
 * Checks that a template is unchanged since it was saved. QEMU must be able to open its memory file
 * for writing, so a compromised QEMU could change it. The kernel records the time of every change
 * of a file, and no call can set that time back.
 */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PARTS = ["initial", "disk", "memory", "state"] as const;
const MARK = "mark";

export const markFolder = async (path: string): Promise<void> => writeFile(join(path, MARK), await describe(path));

/** Returns false also when files are missing. */
export const isAsMarked = async (path: string): Promise<boolean> => {
  try {
    return (await readFile(join(path, MARK), "utf8")) === (await describe(path));
  } catch {
    return false;
  }
};

const describe = async (path: string): Promise<string> => {
  const lines = PARTS.map(async (name) => {
    const { ino, size, ctimeNs } = await stat(join(path, name), { bigint: true });
    return `${name} ${ino} ${size} ${ctimeNs}\n`;
  });
  return (await Promise.all(lines)).join("");
};
