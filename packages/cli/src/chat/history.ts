/** What a person typed, kept in the home for the next chat. Newest first, as readline wants it. */
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
    // None yet, or none that can be read: a chat needs none.
    return [];
  }
};

/** Whole, or not at all. Never throws: a history that cannot be kept is no reason to end a chat badly. */
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
