/** Houses, rooms and agents: one record type with typed content. People and bots differ in `kind` and in nothing else. */
import { z } from "zod";
import { RoomAdmission } from "./admission.ts";
import { AgentBudget } from "./budget.ts";
import { CellKind, OwnCellLimits } from "./cell.ts";
import { EgressGrant, MAX_EGRESS_GRANTS } from "./egress.ts";
import { Heartbeat } from "./heartbeat.ts";
import { AgentId, HouseId, RoomId } from "./ids.ts";
import { Retrieval } from "./memory.ts";
import { ModelName } from "./model.ts";

export const MAX_NAME_LENGTH = 200;

/** Any text with something to see in it, at most 200 characters. Well-formed Unicode only. The house gives none that hides something. */
const Name = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((name) => name.isWellFormed(), "is not well-formed Unicode")
  .refine((name) => /[^\s\p{C}]/u.test(name), "has nothing to see in it");

const Text = z
  .string()
  .max(100_000)
  .refine((text) => text.isWellFormed(), "is not well-formed Unicode");

/** Whether a text is an IANA time zone that this runtime knows. */
export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

export const HouseContent = z.strictObject({
  name: Name,
  description: Text.optional(),
  /** IANA name: the zone of "today". */
  timezone: z.string().max(64).default("UTC"),
  /** When its owner had answered the first questions, or put them aside. Absent: they are still to be asked. */
  welcomedAt: z.int().optional(),
});

export const RoomContent = z.strictObject({
  name: Name,
  description: Text.optional(),
  /** Who takes part. A direct room has exactly two; a group room without a list is open to everyone in the house. */
  members: z.array(AgentId).max(1000).optional(),
  /** In a direct room every message wakes the other side; in a group a mention does. */
  kind: z.enum(["direct", "group"]).default("group"),
  /** Who may wake agents here. Absent: whoever may write. */
  admission: RoomAdmission.optional(),
});

/** Models that an agent may fall back on at most. */
export const MAX_FALLBACK = 5;

/** A bot that names no model thinks with this one: no language model, but there without a key or a network. */
export const DEFAULT_MODEL = "offline/basic";

/**
 * What becomes of messages that come while the agent is at work in their room:
 * - `steer`: it takes them in at its next step and answers them too
 * - `followup`: each is answered by itself, one after the other
 * - `collect`: when it is done, one answer for all that came meanwhile
 * - `interrupt`: it stops, and begins anew with all of them in view
 */
export const QueueMode = z.enum(["steer", "followup", "collect", "interrupt"]);
export type QueueMode = z.infer<typeof QueueMode>;
export const DEFAULT_QUEUE_MODE: QueueMode = "steer";

/**
 * What wakes a bot in a group room: `mention`, its @handle; `ambient`, also talk that concerns it. Its handle always does, and so does every
 * message of a direct room.
 */
export const TriggerMode = z.enum(["mention", "ambient"]);
export type TriggerMode = z.infer<typeof TriggerMode>;
export const DEFAULT_TRIGGER_MODE: TriggerMode = "mention";

/** How a bot in mode `ambient` finds out whether talk concerns it. */
export const Ambient = z.strictObject({
  /** It waits for so long a silence before it looks, in milliseconds. Default 3,000. */
  debounceMs: z.int().min(0).max(600_000).optional(),
  /** Whether it stays quiet while it wrote one of the last five messages. Default true. */
  cooldown: z.boolean().optional(),
  /**
   * `model`: a small model says yes or no, and words decide where it does not answer; `words`: words of its name, description and prompt;
   * `off`: everything concerns it. Default `model` where `model` names one, else `words`.
   */
  relevance: z.enum(["model", "words", "off"]).optional(),
  /** The model that says yes or no. Absent: the agent's own. */
  model: ModelName.optional(),
});
export type Ambient = z.infer<typeof Ambient>;

/**
 * What an agent does without a person's word:
 * - `default`: all that its grants allow, but for what its reading makes doubtful, and what cannot be brought back
 * - `ask`: it reads; whatever changes something or tells someone is asked about first
 * - `plan`: it reads, and nothing else
 * - `unattended`: as `default`, but nobody is there: what would be asked about is refused
 */
export const AgentMode = z.enum(["default", "ask", "plan", "unattended"]);
export type AgentMode = z.infer<typeof AgentMode>;
export const DEFAULT_AGENT_MODE: AgentMode = "default";

/** A folder of the workspace, from its root: `notes/drafts`, or `.` for all of it. */
export const TrustedFolder = z
  .string()
  .min(1)
  .max(1000)
  .refine((path) => path.isWellFormed() && !/\p{Cc}/u.test(path), "is no path")
  .refine((path) => !/^[/\\]|^[A-Za-z]:/.test(path), "is not within the workspace: it begins at the root of a disk")
  .refine((path) => !path.split(/[/\\]/).includes(".."), "is not within the workspace: it goes up");

export const AgentContent = z.strictObject({
  name: Name,
  kind: z.enum(["human", "bot"]),
  description: Text.optional(),
  /** Bots only. */
  model: ModelName.optional(),
  /** Models to ask in its place, in this order, when it does not answer. */
  fallback: z.array(ModelName).max(MAX_FALLBACK).optional(),
  /** Extra instructions, Markdown. The brain's own files come first. */
  prompt: Text.optional(),
  /** Names of the tools this bot may use. Absent: every tool that needs no person's word. */
  tools: z.array(z.string().max(64)).max(100).optional(),
  cell: CellKind.optional(),
  /** What its cells may use up, where that is not what the house says. */
  limits: OwnCellLimits.optional(),
  /** Where its commands and tools may go on the network. Absent or empty: nowhere. */
  egress: z.array(EgressGrant).max(MAX_EGRESS_GRANTS).optional(),
  /** `elsewhere`: a program of its own reads its rooms and writes with a key. The house wakes nothing for it. Absent: `here`. */
  runs: z.enum(["here", "elsewhere"]).optional(),
  queue: QueueMode.optional(),
  triggerMode: TriggerMode.optional(),
  ambient: Ambient.optional(),
  timezone: z.string().max(64).optional(),
  /** What it may spend on models. Absent: as much as the house. */
  budget: AgentBudget.optional(),
  mode: AgentMode.optional(),
  /** When it looks by itself at what its HEARTBEAT.md lists. Absent: never. */
  heartbeat: Heartbeat.optional(),
  /** What its memory is found by. Absent: words and meaning. */
  retrieval: Retrieval.optional(),
  /** In the mode `ask`: where it writes unasked, if its cell has walls. */
  trusted: z.array(TrustedFolder).max(100).optional(),
});

export type HouseContent = z.infer<typeof HouseContent>;
export type RoomContent = z.infer<typeof RoomContent>;
export type AgentContent = z.infer<typeof AgentContent>;

export const recordContent = { house: HouseContent, room: RoomContent, agent: AgentContent } as const;
export type RecordType = keyof typeof recordContent;

const base = {
  /** The house it belongs to. A house belongs to itself. */
  house: HouseId,
  /** The slug of its name, unique among the records of one type in one house. */
  handle: z.string(),
  /** Counts its changes from 1. */
  version: z.int().positive(),
  /** UTC milliseconds. */
  createdAt: z.int(),
  updatedAt: z.int(),
};

export const HouseRecord = z.object({ type: z.literal("house"), id: HouseId, ...base, content: HouseContent });
export const RoomRecord = z.object({ type: z.literal("room"), id: RoomId, ...base, content: RoomContent });
export const AgentRecord = z.object({ type: z.literal("agent"), id: AgentId, ...base, content: AgentContent });
export const HearthRecord = z.discriminatedUnion("type", [HouseRecord, RoomRecord, AgentRecord]);

export type HouseRecord = z.infer<typeof HouseRecord>;
export type RoomRecord = z.infer<typeof RoomRecord>;
export type AgentRecord = z.infer<typeof AgentRecord>;
export type HearthRecord = z.infer<typeof HearthRecord>;
export type RecordOf<Type extends RecordType> = Extract<HearthRecord, { type: Type }>;
