/**
 * Who may wake agents, in a room or from an account at a chat platform. In a room what is not let in stands as said, and wakes nobody. At
 * an account, which is asked first, it comes into no room: its fate alone is kept.
 */
import { z } from "zod";

/**
 * - `open`: whoever may write
 * - `allow`: those on the list and nobody else; an empty list, or none, lets nobody in
 * - `pairing`: channels only, and their default: those whom an admin has let in with their code
 */
const Mode = z.enum(["open", "allow", "pairing"]);

const Author = z.string().min(1).max(200);
const Authors = z.array(Author).max(1000);

export const Admission = z.strictObject({
  mode: Mode.optional(),
  /** In a room agents' ids; at a channel the platform's ids of senders. */
  allow: Authors.optional(),
  /** Never, whatever else is said. */
  block: Authors.optional(),
  /** Only conversations of two. */
  directOnly: z.boolean().optional(),
  /** Only messages that name an agent, in conversations of two as well. */
  mentionRequired: z.boolean().optional(),
  /** Of those who are let in: they need not name an agent. Each of their messages wakes every bot that may speak there. */
  wake: Authors.optional(),
});
export type Admission = z.infer<typeof Admission>;

/** Of a room. Without a mode: whoever may write. */
export const RoomAdmission = Admission.extend({ mode: Mode.exclude(["pairing"]).optional() });
export type RoomAdmission = z.infer<typeof RoomAdmission>;
