/**
 * Decides which audiences an index may show a file to. It applies the rule of
 * `brains/audience-files.ts` before the index ranks the files.
 */
import type { Audience } from "@hearth/protocol";
import type { MemoryFilter } from "@hearth/protocol/memory-frames";
import { PERSONA_FILES } from "../brains/audience-files.ts";

/** The tag of files that every audience may see. */
const EVERY_AUDIENCE = "everybody";
const ROOM_FILE = /^memory\/rooms\/([^/]+)\//;

export const audienceOfFile = (path: string): string => {
  const room = ROOM_FILE.exec(path)?.[1];
  if (room !== undefined) return `room:${room}`;
  return PERSONA_FILES.some((file) => path === file || path.startsWith(`${file}/`)) ? EVERY_AUDIENCE : "private";
};

/** Returns the tags that the audience may see. The agent's own people see all its knowledge. */
export const filterFor = (audience: Audience): MemoryFilter =>
  audience === "private" ? {} : { audiences: [EVERY_AUDIENCE, audience] };
