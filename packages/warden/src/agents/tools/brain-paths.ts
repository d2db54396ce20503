/** Which files of its brain an agent reaches by its tools: with its own people all of them, with people of a room what they may see. */
import type { Audience } from "@hearth/protocol";
import { logFolder, mayShow, SHOWN } from "../brains/audience-files.ts";

/** Why not, in words for the model. */
export const whyNotRead = (path: string, audience: Audience): string | undefined =>
  mayShow(audience, path)
    ? undefined
    : `${path} is not for the people of this room. Here you reach ${[...SHOWN, logFolder(audience)].join(", ")}.`;

/** What people of a room tell an agent goes into that room's own memory. */
export const whyNotWrite = (path: string, audience: Audience): string | undefined =>
  audience === "private" || (path.startsWith(`${logFolder(audience)}/`) && mayShow(audience, path))
    ? undefined
    : `In this room you write to ${logFolder(audience)}/ alone. Your own people change the rest with you in a room of their own.`;
