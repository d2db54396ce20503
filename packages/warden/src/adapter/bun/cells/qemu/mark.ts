/**
 * Whether what cells start from is what was kept. QEMU must be able to open the memory for writing, though it never writes it; one that was
 * taken over could. The kernel notes when a file was last changed in any way, and gives nobody a call to put that time back.
 */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PARTS = ["initial", "disk", "memory", "state"] as const;
const MARK = "mark";

export const markFolder = async (path: string): Promise<void> => writeFile(join(path, MARK), await describe(path));

/** Not what is not there, or only in part. */
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
