/**
 * Decides which brain files an agent's tools may use: all files with its own people, and in a room
 * the files that its members may see.
 */
import type { Audience } from "@hearth/protocol";
import { logFolder, canSee, PERSONA_FILES } from "../../brains/audience-files.ts";

/** Returns the reason for the model why the file may not be read, or undefined. */
export const readRefusal = (path: string, audience: Audience): string | undefined =>
  canSee(audience, path)
    ? undefined
    : `${path} is not for the people of this room. Here you reach ${[...PERSONA_FILES, logFolder(audience)].join(", ")}.`;

/**
 * Returns the reason for the model why the file may not be written, or undefined. Facts from a
 * room's members are stored only in that room's memory.
 */
export const writeRefusal = (path: string, audience: Audience): string | undefined =>
  audience === "private" || (path.startsWith(`${logFolder(audience)}/`) && canSee(audience, path))
    ? undefined
    : `In this room you write to ${logFolder(audience)}/ alone. Your own people change the rest with you in a room of their own.`;
