/** Compactions: the oldest stretch of a session, kept as memory and a summary, and given to the agent as that summary from then on. */
import { z } from "zod";
import { ActivationId, AgentId, RoomId } from "./ids.ts";
import { Label } from "./label.ts";
import { Usage } from "./model.ts";

/**
 * `asked → begun → done | failed`, and `done → over`: the summary is given no more, since a new session began or somebody changed or took
 * back what it was made of. What was said stays in the room, whatever becomes of it.
 */
export const CompactionState = z.enum(["asked", "begun", "done", "failed", "over"]);
export type CompactionState = z.infer<typeof CompactionState>;

/** A stretch of a room: the events after `after`, up to and with `through`. */
export const RoomRange = z.object({ after: z.int().nonnegative(), through: z.int().nonnegative() });
export type RoomRange = z.infer<typeof RoomRange>;

/** What a compaction wrote into the agent's memory. */
export const KeptFile = z.object({ path: z.string(), change: z.string() });
export type KeptFile = z.infer<typeof KeptFile>;

export const Compaction = z.object({
  agent: AgentId,
  room: RoomId,
  /** Counts those of the agent in that room, from 1. */
  place: z.int().positive(),
  state: CompactionState,
  /** When it was asked for, or began. */
  at: z.int(),
  endedAt: z.int().exactOptional(),
  /** The activation that began with it. */
  activation: ActivationId.exactOptional(),
  /** What it replaced: to be read again as events of the room. */
  range: RoomRange.exactOptional(),
  /** Messages in that range. */
  messages: z.int().exactOptional(),
  /** Tokens that the session took when it was due, as the provider told. Absent: nobody had told, or a person asked for it. */
  tokens: z.int().exactOptional(),
  /** What is given in place of the range, and its SHA-256. */
  summary: z.object({ hash: z.string(), text: z.string() }).exactOptional(),
  /** Where what it was made of came from. */
  label: Label.exactOptional(),
  files: z.array(KeptFile),
  usage: Usage,
  /** Why it failed, or is over. */
  reason: z.string().exactOptional(),
});
export type Compaction = z.infer<typeof Compaction>;
export const CompactionList = z.array(Compaction);

/** Compactions are listed newest first. `room`: by handle or id; absent: all rooms. */
export const CompactionQuery = z.object({
  room: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type CompactionQuery = z.infer<typeof CompactionQuery>;

/** Asks for one: it is the first thing that the agent's next turn in the room does. */
export const CompactAgent = z.strictObject({
  /** By handle or id. */
  room: z.string().min(1).max(200),
  /** So many of the last messages stay as they were said. */
  keep: z.int().min(0).max(1000).default(0),
});
export type CompactAgent = z.input<typeof CompactAgent>;

/** From here on the agent is given a summary in place of this stretch of the room, which stays as it is. */
export const Compacted = z.object({
  type: z.literal("compacted"),
  at: z.int(),
  agent: AgentId,
  room: RoomId,
  activation: ActivationId,
  range: RoomRange,
  /** Messages in that range. */
  messages: z.int(),
  /** SHA-256 of the summary. */
  summary: z.string(),
  /** Where what the summary was made of came from. */
  label: Label,
  /** What it wrote into the agent's memory. */
  files: z.array(KeptFile),
  usage: Usage,
});
/** A stretch of the room could not be compacted: the agent is given all of it as before, or as much of it as fits. */
export const CompactionFailed = z.object({
  type: z.literal("compaction-failed"),
  at: z.int(),
  agent: AgentId,
  room: RoomId,
  activation: ActivationId,
  /** In words a person can read. */
  reason: z.string(),
  usage: Usage,
});
export type Compacted = z.infer<typeof Compacted>;
export type CompactionFailed = z.infer<typeof CompactionFailed>;
