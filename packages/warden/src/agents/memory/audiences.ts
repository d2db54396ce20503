/**
 * Decides which audiences an index may show a file to. It applies the rule of
 * `brains/audience-files.ts` before the index ranks the files.
 */
import type { Audience, MemoryFilter } from "@hearth/protocol";
import { SHOWN } from "../brains/audience-files.ts";

/** The tag of files that every audience may see. */
const EVERYBODY = "everybody";
const OF_A_ROOM = /^memory\/rooms\/([^/]+)\//;

export const audienceOfFile = (path: string): string => {
  const room = OF_A_ROOM.exec(path)?.[1];
  if (room !== undefined) return `room:${room}`;
  return SHOWN.some((shown) => path === shown || path.startsWith(`${shown}/`)) ? EVERYBODY : "private";
};

/** Returns the tags that the audience may see. The agent's own people see all its knowledge. */
export const visibleTo = (audience: Audience): MemoryFilter =>
  audience === "private" ? {} : { audiences: [EVERYBODY, audience] };
