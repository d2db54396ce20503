/**
 * Rules for who may wake agents, in a room or through an account at a chat platform.
 *
 * A message that a room does not admit is stored and wakes no agent. A channel checks first: a
 * message that it does not admit enters no room, and only its fate is recorded.
 */
import { z } from "zod";

/**
 * Which authors are admitted:
 * - `open`: every author with write permission
 * - `allow`: only authors in `allow`; an empty or absent list admits none
 * - `pairing`: channels only, and their default: senders whose pairing code an admin has approved
 */
const Mode = z.enum(["open", "allow", "pairing"]);

const Author = z.string().min(1).max(200);
const Authors = z.array(Author).max(1000);

export const Admission = z.strictObject({
  mode: Mode.optional(),
  /** In a room, agent ids; at a channel, the platform's sender ids. */
  allow: Authors.optional(),
  /** Authors who are never admitted. Takes precedence over all other rules. */
  block: Authors.optional(),
  /** Admits only conversations of two. */
  directOnly: z.boolean().optional(),
  /** Admits only messages that mention an agent, in conversations of two as well. */
  mentionRequired: z.boolean().optional(),
  /**
   * Admitted authors who need not mention an agent: each of their messages wakes every bot that may
   * write in the room.
   */
  wake: Authors.optional(),
});
export type Admission = z.infer<typeof Admission>;

/** The admission of a room. Without a mode: `open`. */
export const RoomAdmission = Admission.extend({ mode: Mode.exclude(["pairing"]).optional() });
export type RoomAdmission = z.infer<typeof RoomAdmission>;
