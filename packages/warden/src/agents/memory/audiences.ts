/** Whom a file of a brain is remembered for, as an index knows it. The same rule as in `brains/shown.ts`, told before anything is ranked. */
import type { Audience, MemoryVisible } from "@hearth/protocol";
import { SHOWN } from "../brains/audience-files.ts";

/** What every audience sees. */
const EVERYBODY = "everybody";
const OF_A_ROOM = /^memory\/rooms\/([^/]+)\//;

export const audienceOfFile = (path: string): string => {
  const room = OF_A_ROOM.exec(path)?.[1];
  if (room !== undefined) return `room:${room}`;
  return SHOWN.some((shown) => path === shown || path.startsWith(`${shown}/`)) ? EVERYBODY : "private";
};

/** An agent's own people see all that it knows. */
export const visibleTo = (audience: Audience): MemoryVisible =>
  audience === "private" ? {} : { audiences: [EVERYBODY, audience] };
