/**
 * Decides which brain files an audience may see: the agent's own people see all, members of a room
 * see the persona and that room's memory.
 */
import type { Audience } from "@hearth/protocol";

/**
 * Files that members of a room may see. The agent's memory and what it knows about its person are
 * excluded.
 */
export const SHOWN = ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "instructions", "skills"] as const;

/** Returns the folder of an audience's daily logs and of all other files about a room. */
export const logFolder = (audience: Audience): string =>
  audience === "private" ? "memory" : `memory/rooms/${audience.slice("room:".length)}`;

/**
 * Whether an audience may see the file. Names are compared exactly: a spelling that only the disk
 * treats as equal does not match.
 */
export const mayShow = (audience: Audience, path: string): boolean => {
  if (audience === "private") return true;
  if (path.split("/").includes("..")) return false;
  return [...SHOWN, logFolder(audience)].some((shown) => path === shown || path.startsWith(`${shown}/`));
};
