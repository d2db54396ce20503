/**
 * Reply routes: the conversation of a chat platform to which a job's later replies are sent. A
 * route is stored as text with the job.
 */
import { type Json, readJson, writeJson } from "../store/json.ts";
import { AgentId, type RoomId } from "@hearth/protocol";
import { z } from "zod";

export const ReplyRoute = z.object({
  channel: z.string(),
  conversation: z.string(),
  /** The requester, as the platform and the house knew them at that time. */
  sender: z.string(),
  person: AgentId,
});

export type ReplyRoute = z.infer<typeof ReplyRoute>;

export const readReplyRoute = (text: Json<ReplyRoute> | null): ReplyRoute | undefined =>
  text === null ? undefined : ReplyRoute.parse(readJson(text));

export const writeReplyRoute = (route: ReplyRoute | undefined): Json<ReplyRoute> | null =>
  route === undefined ? null : writeJson(ReplyRoute.parse(route));

/**
 * Returns the reason for people why no message of this room is sent by the route at present, or
 * undefined if the route is open.
 */
export type WhyRouteClosed = (route: ReplyRoute, room: RoomId) => Promise<string | undefined>;
