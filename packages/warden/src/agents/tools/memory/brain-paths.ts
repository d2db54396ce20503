/**
 * Decides which brain files an agent's tools may use: all files with its own people, and in a room
 * the files that its members may see.
 */
import type { Audience } from "@hearth/protocol";
import { logFolder, canSee, PERSONA_FILES } from "../../brains/audience-files.ts";

/** Returns a sentence for the model with the reason why the file may not be read, or undefined if it may be read. */
export const readRefusal = (path: string, audience: Audience): string | undefined =>
  canSee(audience, path)
    ? undefined
    : `${path} is not for the people of this room. In this room you can read ${[...PERSONA_FILES, logFolder(audience)].join(", ")}.`;

/**
 * Returns a sentence for the model with the reason why the file may not be written, or undefined if
 * it may be written. Facts from a room's members are stored only in that room's memory.
 */
export const writeRefusal = (path: string, audience: Audience): string | undefined =>
  audience === "private" || (path.startsWith(`${logFolder(audience)}/`) && canSee(audience, path))
    ? undefined
    : `In this room you can write only files in ${logFolder(audience)}/. Your own people can ask you to change other files in a room that only they and you can read.`;
