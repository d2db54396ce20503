/** Where an agent's brain lies. Folders are named for people; a file in each says whose it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentId } from "@hearth/protocol";

const MARK = ".agent";

/** One that has no brain gets a folder of its own id. */
export const folderOf = (brains: string, agent: AgentId): string => {
  const name = namesIn(brains).find((folder) => ownerOf(join(brains, folder)) === agent);
  return join(brains, name ?? agent);
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

const ownerOf = (folder: string): string | undefined => {
  try {
    return readFileSync(join(folder, MARK), "utf8").trim();
  } catch {
    return undefined;
  }
};
