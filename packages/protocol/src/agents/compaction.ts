/**
 * Compactions store the oldest part of a session as memory and a summary. Later prompts contain the
 * summary instead.
 */
import { z } from "zod";
import { ActivationId, AgentId, RoomId } from "../base/ids.ts";
import { Label } from "../policy/label.ts";
import { Usage } from "./model.ts";

/**
 * `asked → begun → done | failed`, and `done → over`: the summary is no longer used, because a new
 * session began or its source messages were edited or deleted. The messages stay in the room in
 * every state.
 */
export const CompactionState = z.enum(["asked", "begun", "done", "failed", "over"]);
export type CompactionState = z.infer<typeof CompactionState>;

/** A range of a room: the events after `after`, up to and including `through`. */
export const RoomRange = z.object({ after: z.int().nonnegative(), through: z.int().nonnegative() });
export type RoomRange = z.infer<typeof RoomRange>;

/** A file that a compaction wrote into the agent's memory. */
export const KeptFile = z.object({ path: z.string(), change: z.string() });
export type KeptFile = z.infer<typeof KeptFile>;

export const Compaction = z.object({
  agent: AgentId,
  room: RoomId,
  /** Number of this compaction among those of the agent in the room, from 1. */
  place: z.int().positive(),
  state: CompactionState,
  /** When the compaction was requested, or began. */
  at: z.int(),
  endedAt: z.int().exactOptional(),
  /** The activation that performed the compaction. */
  activation: ActivationId.exactOptional(),
  /** The replaced range; its events can still be read from the room. */
  range: RoomRange.exactOptional(),
  /** Number of messages in the range. */
  messages: z.int().exactOptional(),
  /**
   * The session's size in tokens when compaction was due, as reported by the provider. Absent: not
   * reported, or a person requested the compaction.
   */
  tokens: z.int().exactOptional(),
  /** The text that replaces the range in prompts, and its SHA-256. */
  summary: z.object({ hash: z.string(), text: z.string() }).exactOptional(),
  /** Provenance of the summary's sources. */
  label: Label.exactOptional(),
  files: z.array(KeptFile),
  usage: Usage,
  /** Why the compaction failed or is over. */
  reason: z.string().exactOptional(),
});
export type Compaction = z.infer<typeof Compaction>;
export const CompactionList = z.array(Compaction);

/** Compactions are listed newest first. `room`: handle or id; absent: all rooms. */
export const CompactionQuery = z.object({
  room: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type CompactionQuery = z.infer<typeof CompactionQuery>;

/** Requests a compaction. The agent's next turn in the room begins with it. */
export const CompactAgent = z.strictObject({
  /** Handle or id. */
  room: z.string().min(1).max(200),
  /** Number of latest messages to leave as they are. */
  keep: z.int().min(0).max(1000).default(0),
});
export type CompactAgent = z.input<typeof CompactAgent>;

/**
 * A range of the room was compacted: later prompts contain a summary instead. The room's events
 * stay.
 */
export const Compacted = z.object({
  type: z.literal("compacted"),
  at: z.int(),
  agent: AgentId,
  room: RoomId,
  activation: ActivationId,
  range: RoomRange,
  /** Number of messages in the range. */
  messages: z.int(),
  /** SHA-256 of the summary. */
  summary: z.string(),
  /** Provenance of the summary's sources. */
  label: Label,
  /** Files that the compaction wrote into the agent's memory. */
  files: z.array(KeptFile),
  usage: Usage,
});
/**
 * A range of the room could not be compacted. Prompts still contain all of it, or as much as fits.
 */
export const CompactionFailed = z.object({
  type: z.literal("compaction-failed"),
  at: z.int(),
  agent: AgentId,
  room: RoomId,
  activation: ActivationId,
  /** A sentence for people. */
  reason: z.string(),
  usage: Usage,
});
export type Compacted = z.infer<typeof Compacted>;
export type CompactionFailed = z.infer<typeof CompactionFailed>;
