/** Whose eyes a file of a brain is for: the agent's own people see all of it, people of a room the persona and that room's own memory. */
import type { Audience } from "@hearth/protocol";

/** What people of a room may see of the agent they talk with. What it remembers and what it knows of its person is not among it. */
export const SHOWN = ["SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "instructions", "skills"] as const;

/** Where an audience's daily logs are, and with them all that is kept of a room. */
export const logFolder = (audience: Audience): string =>
  audience === "private" ? "memory" : `memory/rooms/${audience.slice("room:".length)}`;

/** Whether an audience may be shown that file. Names are compared as they are spelled: whatever else a disk takes for one is none of them. */
export const mayShow = (audience: Audience, path: string): boolean => {
  if (audience === "private") return true;
  if (path.split("/").includes("..")) return false;
  return [...SHOWN, logFolder(audience)].some((shown) => path === shown || path.startsWith(`${shown}/`));
};
