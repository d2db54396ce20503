/** Stores typed lines in the home for the next chat, newest first as readline expects. */
import { chmod, readFile, rename, writeFile } from "node:fs/promises";

export const MAX_HISTORY = 1_000;

export const readHistory = async (path: string): Promise<string[]> => {
  try {
    const text = await readFile(path, "utf8");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .reverse()
      .slice(0, MAX_HISTORY);
  } catch {
    // The file is missing or unreadable. A chat works without history.
    return [];
  }
};

/** Writes the history atomically. Never throws: a chat must not fail because of its history. */
export const writeHistory = async (path: string, newestFirst: readonly string[]): Promise<void> => {
  const lines = newestFirst.slice(0, MAX_HISTORY).reverse();
  try {
    await writeFile(`${path}.new`, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    await chmod(`${path}.new`, 0o600);
    await rename(`${path}.new`, path);
  } catch {
    // The home may be read-only.
  }
};
