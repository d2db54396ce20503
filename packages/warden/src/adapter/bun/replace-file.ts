/** Writes a file that only its owner can read and that is never half written. */
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces the file. When it resolves, the text and the name are durable. Overwrites a draft that a crash left. */
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

/** Removes the file and any draft of it. */
export const removeFile = async (path: string): Promise<void> => {
  for (const name of [path, draftOf(path)]) await rm(name, { force: true });
  await syncFolder(dirname(path));
};

const draftOf = (path: string): string => `${path}.new`;

const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r");
  await folder.sync();
};
