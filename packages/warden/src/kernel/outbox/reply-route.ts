/**
 * Reply routes: the conversation of a chat platform to which later replies of a job go, stored as
 * text with the job.
 */
import { AgentId, type RoomId } from "@hearth/protocol";
import { z } from "zod";

export const ReplyRoute = z.object({
  channel: z.string(),
  conversation: z.string(),
  /** The requester, as the platform and the house knew them at the time. */
  sender: z.string(),
  person: AgentId,
});

export type ReplyRoute = z.infer<typeof ReplyRoute>;

export const readReplyRoute = (text: string | null): ReplyRoute | undefined =>
  text === null ? undefined : ReplyRoute.parse(JSON.parse(text));

export const writeReplyRoute = (way: ReplyRoute | undefined): string | null =>
  way === undefined ? null : JSON.stringify(ReplyRoute.parse(way));

/**
 * Why nothing of this room is sent by the route at present, for people. Undefined if it is open.
 */
export type WhyRouteClosed = (way: ReplyRoute, room: RoomId) => Promise<string | undefined>;
