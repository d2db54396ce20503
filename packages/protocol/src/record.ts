/** Houses, rooms and agents: one record type with typed content. People and bots differ in `kind` and in nothing else. */
import { z } from "zod";
import { AgentId, HouseId, RoomId } from "./ids.ts";

export const MAX_NAME_LENGTH = 200;

/** Any text with something to see in it, at most 200 characters. Well-formed Unicode only. */
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
});

export const RoomContent = z.strictObject({
  name: Name,
  description: Text.optional(),
  /** Who takes part. A direct room has exactly two; a group room without a list is open to everyone in the house. */
  members: z.array(AgentId).max(1000).optional(),
  /** In a direct room every message wakes the other side; in a group a mention does. */
  kind: z.enum(["direct", "group"]).default("group"),
});

/** `provider/model`: the first segment is the provider's name in the config, the rest is the model's own name. */
export const ModelName = z
  .string()
  .max(200)
  .regex(/^[^/\s]+\/\S+$/, "is not provider/model");

/** A bot that names no model thinks with this one: no language model, but there without a key or a network. */
export const DEFAULT_MODEL = "offline/basic";

export const CellKind = z.enum(["auto", "inline", "process"]);
export type CellKind = z.infer<typeof CellKind>;

export const AgentContent = z.strictObject({
  name: Name,
  kind: z.enum(["human", "bot"]),
  description: Text.optional(),
  /** Bots only. */
  model: ModelName.optional(),
  /** Extra instructions, Markdown. The brain's own files come first. */
  prompt: Text.optional(),
  /** Names of the tools this bot may use. Absent: every tool that needs no person's word. */
  tools: z.array(z.string().max(64)).max(100).optional(),
  cell: CellKind.optional(),
  timezone: z.string().max(64).optional(),
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
