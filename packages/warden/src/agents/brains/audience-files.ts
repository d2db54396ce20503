/**
 * Decides which brain files an audience may see. The agent's own people see all files. The members
 * of a room see the persona and that room's memory.
 */
import type { Audience } from "@hearth/protocol";

/**
 * Files that the members of every room may see. The agent's memory and its notes about its person
 * are not among them.
 */
export const PERSONA_FILES = ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "instructions", "skills"] as const;

/** Returns the folder with an audience's daily logs and with all other files about its room. */
export const logFolder = (audience: Audience): string =>
  audience === "private" ? "memory" : `memory/rooms/${audience.slice("room:".length)}`;

/**
 * Whether an audience may see the file. Names are compared exactly: a spelling that only the disk
 * treats as equal does not match.
 */
export const canSee = (audience: Audience, path: string): boolean => {
  if (audience === "private") return true;
  if (path.split("/").includes("..")) return false;
  return [...PERSONA_FILES, logFolder(audience)].some((root) => path === root || path.startsWith(`${root}/`));
};
