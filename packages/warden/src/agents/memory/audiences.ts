/**
 * Decides which audiences an index may show a file to. The same rule as in
 * `brains/audience-files.ts`, applied before ranking.
 */
import type { Audience, MemoryVisible } from "@hearth/protocol";
import { SHOWN } from "../brains/audience-files.ts";

/** The tag of files for every audience. */
const EVERYBODY = "everybody";
const OF_A_ROOM = /^memory\/rooms\/([^/]+)\//;

export const audienceOfFile = (path: string): string => {
  const room = OF_A_ROOM.exec(path)?.[1];
  if (room !== undefined) return `room:${room}`;
  return SHOWN.some((shown) => path === shown || path.startsWith(`${shown}/`)) ? EVERYBODY : "private";
};

/** The agent's own people see everything it knows. */
export const visibleTo = (audience: Audience): MemoryVisible =>
  audience === "private" ? {} : { audiences: [EVERYBODY, audience] };
