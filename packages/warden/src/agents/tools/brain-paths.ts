/**
 * Decides which brain files an agent's tools reach: all with its own people; with members of a room
 * those that they may see.
 */
import type { Audience } from "@hearth/protocol";
import { logFolder, mayShow, SHOWN } from "../brains/audience-files.ts";

/** Returns the reason for the model. */
export const whyNotRead = (path: string, audience: Audience): string | undefined =>
  mayShow(audience, path)
    ? undefined
    : `${path} is not for the people of this room. Here you reach ${[...SHOWN, logFolder(audience)].join(", ")}.`;

/** Facts from a room's members go into that room's memory only. */
export const whyNotWrite = (path: string, audience: Audience): string | undefined =>
  audience === "private" || (path.startsWith(`${logFolder(audience)}/`) && mayShow(audience, path))
    ? undefined
    : `In this room you write to ${logFolder(audience)}/ alone. Your own people change the rest with you in a room of their own.`;
