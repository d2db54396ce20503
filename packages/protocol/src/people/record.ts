/**
 * Records of houses, rooms and agents: one type with typed content. People and bots differ only in
 * `kind`.
 */
import { z } from "zod";
import { RoomAdmission } from "./admission.ts";
import { AgentBudget } from "../policy/budget.ts";
import { CellKind, OwnCellLimits } from "../agents/cell.ts";
import { EgressGrant, MAX_EGRESS_GRANTS } from "../policy/egress.ts";
import { Heartbeat } from "../agents/heartbeat.ts";
import { AgentId, EventId, HouseId, RoomId } from "../base/ids.ts";
import { Retrieval } from "../agents/memory.ts";
import { ModelName } from "../agents/model.ts";

export const MAX_NAME_LENGTH = 200;

/**
 * At most 200 characters of well-formed Unicode, at least one of them visible. Names made by the
 * house contain no invisible characters.
 */
export const RecordName = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((name) => name.isWellFormed(), "is not well-formed Unicode")
  .refine((name) => /[^\s\p{C}]/u.test(name), "must contain a visible character");

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
  name: RecordName,
  description: Text.optional(),
  /** IANA name of the time zone in which days begin. */
  timezone: z.string().max(64).default("UTC"),
  /** When the owner finished or dismissed the first questions. Absent: they are still open. */
  welcomedAt: z.int().optional(),
});

export const RoomContent = z.strictObject({
  name: RecordName,
  description: Text.optional(),
  /**
   * The participants. A direct room has exactly two; a group room without a list is open to
   * everyone in the house.
   */
  members: z.array(AgentId).max(1000).optional(),
  /** In a direct room every message wakes the other side; in a group, a mention does. */
  kind: z.enum(["direct", "group"]).default("group"),
  /** Shown to people instead of the name of a direct room. Several rooms may have the same title. */
  title: RecordName.optional(),
  /**
   * `next`: the next message gives the title. An id: that message gave it. Absent: a person chose
   * the title, or the room has no title.
   */
  titleFrom: z.union([z.literal("next"), EventId]).optional(),
  /** The chat, and the message there, after which this chat continues. Its messages up to there are copied. */
  branch: z.object({ room: RoomId, message: EventId }).optional(),
  /** Who may wake agents here. Absent: everyone who may write. */
  admission: RoomAdmission.optional(),
});

/** Maximum number of fallback models of an agent. */
export const MAX_FALLBACK = 5;

/**
 * The model of a bot that names none. It is not a language model, and it works without a key or a
 * network.
 */
export const DEFAULT_MODEL = "offline/basic";

/** What happens to messages that arrive during an activation in their room; see `queueWords`. */
export const QueueMode = z.enum(["steer", "followup", "collect", "interrupt"]);
export type QueueMode = z.infer<typeof QueueMode>;
export const DEFAULT_QUEUE_MODE: QueueMode = "steer";

/** What happens to messages that arrive during a run of an agent, in one sentence. */
export const queueWords: Readonly<Record<QueueMode, string>> = {
  steer: "The current run reads them at its next step, and answers everything together.",
  followup: "Each message gets its own run, one after the other.",
  collect: "After the current run, one run answers all of them together.",
  interrupt: "The current run stops, and a new run reads all messages.",
};

/**
 * What wakes a bot in a group room. `mention`: its @handle. `ambient`: also conversation that
 * concerns it. In a direct room every message wakes it.
 */
export const TriggerMode = z.enum(["mention", "ambient"]);
export type TriggerMode = z.infer<typeof TriggerMode>;
export const DEFAULT_TRIGGER_MODE: TriggerMode = "mention";

/** How a bot in mode `ambient` decides whether a conversation concerns it. */
export const Ambient = z.strictObject({
  /** How long the room must be quiet before the bot decides, in milliseconds. Default 3,000. */
  debounceMs: z.int().min(0).max(600_000).optional(),
  /** Whether it stays quiet while one of the last five messages is its own. Default true. */
  cooldown: z.boolean().optional(),
  /**
   * `model`: a small model decides; if it does not answer, words do. `words`: words of the agent's
   * name, description and prompt. `off`: every conversation concerns it. Default: `model` if
   * `model` is set, else `words`.
   */
  relevance: z.enum(["model", "words", "off"]).optional(),
  /** The deciding model. Absent: the agent's own. */
  model: ModelName.optional(),
});
export type Ambient = z.infer<typeof Ambient>;

/**
 * The calls that an agent may make without asking:
 * - `default`: everything that its grants allow, except calls made doubtful by untrusted text, and
 *   irreversible ones
 * - `ask`: it reads freely; it asks before it changes or sends anything
 * - `plan`: it only reads
 * - `unattended`: as `default`, but calls that need an approval are refused
 */
export const AgentMode = z.enum(["default", "ask", "plan", "unattended"]);
export type AgentMode = z.infer<typeof AgentMode>;
export const DEFAULT_AGENT_MODE: AgentMode = "default";

/** A workspace folder, relative to its root: `notes/drafts`, or `.` for the whole workspace. */
export const TrustedFolder = z
  .string()
  .min(1)
  .max(1000)
  .refine((path) => path.isWellFormed() && !/\p{Cc}/u.test(path), "is not a path")
  .refine((path) => !/^[/\\]|^[A-Za-z]:/.test(path), "is not in the workspace: use a relative path")
  .refine((path) => !path.split(/[/\\]/).includes(".."), "is not in the workspace: remove `..`");

/**
 * In a list of tools: every tool that needs no person's permission, also those of later versions.
 * With it, a name after a hyphen removes that tool.
 */
export const DEFAULT_TOOLS = "default";

/** Returns the tool that an entry of a list of tools names. Undefined for `DEFAULT_TOOLS`. */
export const toolIn = (entry: string): string | undefined =>
  entry === DEFAULT_TOOLS ? undefined : entry.replace(/^-/, "");

/** A tool, and whether an agent has it without a person's decision. */
export interface ToolChoice {
  readonly name: string;
  readonly isDefault: boolean;
}

/** Whether a list of tools contains this tool. */
export const hasTool = (list: readonly string[] = [DEFAULT_TOOLS], { name, isDefault }: ToolChoice): boolean =>
  !list.includes(`-${name}`) && (list.includes(name) || (isDefault && list.includes(DEFAULT_TOOLS)));

/** Returns the list of tools after a person turned one of them on or off. */
export const withTool = (
  list: readonly string[] = [DEFAULT_TOOLS],
  { name, isDefault }: ToolChoice,
  isOn: boolean,
): readonly string[] => {
  const otherEntries = list.filter((entry) => entry !== name && entry !== `-${name}`);
  const isIncluded = isDefault && list.includes(DEFAULT_TOOLS);
  if (isOn) return isIncluded ? otherEntries : [...otherEntries, name];
  return isIncluded ? [...otherEntries, `-${name}`] : otherEntries;
};

export const AgentContent = z.strictObject({
  name: RecordName,
  kind: z.enum(["human", "bot"]),
  description: Text.optional(),
  /** Bots only. */
  model: ModelName.optional(),
  /** Models to try in this order when `model` does not answer. */
  fallback: z.array(ModelName).max(MAX_FALLBACK).optional(),
  /** Additional instructions in Markdown, after the brain's own files. */
  prompt: Text.optional(),
  /** Names of the tools that this bot may use. Absent: `DEFAULT_TOOLS`. */
  tools: z.array(z.string().max(64)).max(100).optional(),
  cell: CellKind.optional(),
  /** Limits of its cells where they differ from the house's. */
  limits: OwnCellLimits.optional(),
  /** Hosts that its commands and tools may reach. Absent or empty: none. */
  egress: z.array(EgressGrant).max(MAX_EGRESS_GRANTS).optional(),
  /**
   * `elsewhere`: an external program reads its rooms and writes with a key, and the house never
   * wakes it. Absent: `here`.
   */
  runs: z.enum(["here", "elsewhere"]).optional(),
  queue: QueueMode.optional(),
  triggerMode: TriggerMode.optional(),
  ambient: Ambient.optional(),
  timezone: z.string().max(64).optional(),
  /** Limits of its spending on models. Absent: the house's limits only. */
  budget: AgentBudget.optional(),
  mode: AgentMode.optional(),
  /** When it checks the list in its HEARTBEAT.md. Absent: never. */
  heartbeat: Heartbeat.optional(),
  /** How its memory is searched. Absent: by words and meaning. */
  retrieval: Retrieval.optional(),
  /** In mode `ask`: folders that it may write without asking, if its cell enforces isolation. */
  trusted: z.array(TrustedFolder).max(100).optional(),
});

export type HouseContent = z.infer<typeof HouseContent>;
export type RoomContent = z.infer<typeof RoomContent>;
export type AgentContent = z.infer<typeof AgentContent>;

export const recordContent = { house: HouseContent, room: RoomContent, agent: AgentContent } as const;
export type RecordType = keyof typeof recordContent;

const baseFields = {
  /** The house that it belongs to. A house belongs to itself. */
  house: HouseId,
  /** The slug of its name, unique among records of the same type in a house. */
  handle: z.string(),
  /** Counts changes, from 1. */
  version: z.int().positive(),
  /** UTC milliseconds. */
  createdAt: z.int(),
  updatedAt: z.int(),
};

export const HouseRecord = z.object({ type: z.literal("house"), id: HouseId, ...baseFields, content: HouseContent });
export const RoomRecord = z.object({ type: z.literal("room"), id: RoomId, ...baseFields, content: RoomContent });
export const AgentRecord = z.object({ type: z.literal("agent"), id: AgentId, ...baseFields, content: AgentContent });
export const HearthRecord = z.discriminatedUnion("type", [HouseRecord, RoomRecord, AgentRecord]);

export type HouseRecord = z.infer<typeof HouseRecord>;
export type RoomRecord = z.infer<typeof RoomRecord>;
export type AgentRecord = z.infer<typeof AgentRecord>;
export type HearthRecord = z.infer<typeof HearthRecord>;
export type RecordOf<Type extends RecordType> = Extract<HearthRecord, { type: Type }>;
