/**
 * Finds the folder of an agent's brain. Folders have readable names, and each contains a file with
 * the agent's id.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentId } from "@hearth/protocol";

const OWNER_FILE = ".agent";

/** Returns the agent's brain folder. An agent without one gets a folder named after its id. */
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
    return readFileSync(join(folder, OWNER_FILE), "utf8").trim();
  } catch {
    return undefined;
  }
};
