/**
 * Defines the stored input of an activation. The input refers to blobs, so the same input can be
 * restored after a crash.
 */
import { cleanName } from "../../policy/index.ts";
import { createVersions } from "../../kernel/index.ts";
import { ActivationInput, AgentId, integrities, Label, type PromptPart } from "@hearth/protocol";
import { z } from "zod";
import { ShownMessage } from "./inbox-part.ts";
import { type ContextPart, partPlaces } from "./parts.ts";

interface StartTime {
  /** The time when the activation began, in UTC milliseconds. */
  readonly startedAt: number;
}

/**
 * The loop version of an input that names no version. It differs from every real version, so the steps of the
 * activation are not replayed: the model reads them as history.
 */
const NO_LOOP_VERSION = 0;

/**
 * The versions of the stored input. A released version never changes. Append an upcast for a new
 * version.
 */
export const frozenVersions = createVersions<StartTime>(
  "The input of this activation",
  [(old, { startedAt }) => ({ at: startedAt, config: "", loop: NO_LOOP_VERSION, ...old })],
  // The first writers of version 2 added no version stamp.
  (value) => ("loop" in value ? 2 : 1),
);

/**
 * Reads a stored input of this version or an older one. Throws `store.foreign` for the input of a
 * newer Hearth.
 */
export const readFrozen = (text: string, start: StartTime): Frozen =>
  Frozen.parse(frozenVersions.read(JSON.parse(text), start));

export const Frozen = z.object({
  v: z.int().exactOptional(),
  model: z.string(),
  /** The models to try in order if the first one fails. */
  fallback: z.array(z.string()).default([]),
  zone: z.string(),
  agent: ActivationInput.shape.agent,
  room: ActivationInput.shape.room,
  house: ActivationInput.shape.house,
  /** Hashes of blobs. */
  parts: z.array(z.object({ name: z.string(), hash: z.string(), place: z.enum(partPlaces).default("prefix") })),
  /**
   * Offsets of the room's events. The turn reads the events after `start`, up to `head`. The message
   * at `cause` caused the activation.
   */
  range: z.object({ start: z.int(), cause: z.int(), head: z.int() }),
  /** The summary that replaces the earlier part of the session, before `range`. */
  summary: z.object({ hash: z.string(), label: Label, messages: z.int(), through: z.int() }).exactOptional(),
  /** The actions of earlier turns in the room that failed or were stopped. */
  unfinished: z.object({ hash: z.string(), label: Label }).exactOptional(),
  names: z.record(AgentId, z.string()),
  /** Integrity of each author's messages when the input was stored. */
  standings: z.record(AgentId, z.enum(integrities)).default({}),
  /** The inbox messages in the prompt. If another agent asked or delegated, this contains only its message. */
  inbox: z.array(ShownMessage).default([]),
  /** The name of the agent that asked or delegated. It is absent if the reply goes to the room. */
  asker: z.string().exactOptional(),
  tools: z.array(z.string()),
  maxRounds: z.int(),
  /** When the input was stored, in UTC milliseconds. */
  at: z.int(),
  /** The version of the configuration, as evidence. */
  config: z.string(),
  /** The version of the agent loop. Recovery replays steps of the same version only. */
  loop: z.int(),
});
export type Frozen = z.infer<typeof Frozen>;

/** The models that may answer, in the order in which they are tried. */
export const modelsOf = ({ model, fallback }: Frozen): readonly string[] => [model, ...fallback];

export const toInput = (frozen: Frozen, { parts, history, hidden }: LoadedParts): ActivationInput => ({
  agent: { ...frozen.agent, name: cleanName(frozen.agent.name) },
  room: frozen.room,
  house: { ...frozen.house, name: cleanName(frozen.house.name) },
  parts: parts.flatMap(toPromptPart),
  history,
  tools: frozen.tools,
  ...(hidden.length === 0 ? {} : { hidden: [...hidden] }),
  maxRounds: frozen.maxRounds,
  ...(frozen.asker === undefined ? {} : { asker: frozen.asker }),
});

interface LoadedParts {
  readonly parts: readonly ContextPart[];
  readonly history: ActivationInput["history"];
  /** The tools that the model must look up before it can call them. */
  readonly hidden: readonly string[];
}

/** Converts a part for the prompt. Returns nothing for a late part, which is placed among the messages. */
const toPromptPart = ({ name, text, place }: ContextPart): readonly PromptPart[] => {
  if (place === "late") return [];
  return [place === "memory" ? { name, text: `# ${name}\n${text}`, stable: false } : { name, text }];
};
