/** A file that only its owner can read and that is never half written. */
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Durable when it resolves: the text first, then the name. A draft that a crash left behind is written over. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const draft = draftOf(path);
  try {
    await using file = await open(draft, "w", 0o600);
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
};

/** The file and what is left of an attempt to write it. */
export const removeFile = async (path: string): Promise<void> => {
  for (const name of [path, draftOf(path)]) await rm(name, { force: true });
  await syncFolder(dirname(path));
};

const draftOf = (path: string): string => `${path}.new`;

const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r");
  await folder.sync();
};
