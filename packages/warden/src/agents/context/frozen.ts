/** What an activation starts from, as it is kept: by reference, and enough to give it the very same again after a crash. */
import { cleanName } from "../../policy/index.ts";
import { createVersions } from "../../kernel/index.ts";
import { ActivationInput, AgentId, integrities, Label, type PromptPart } from "@hearth/protocol";
import { z } from "zod";
import { Shown } from "./inbox-part.ts";
import { type ContextPart, partPlaces } from "./parts.ts";

/** When the activation was begun, UTC milliseconds. */
interface Begun {
  readonly startedAt: number;
}

/** The loop of inputs that do not name one: their steps are told as history. */
const NO_LOOP = 0;

/** Released versions never change: a new one is a new upcast at the end. */
export const frozenVersions = createVersions<Begun>(
  "The input of this activation",
  [(old, { startedAt }) => ({ at: startedAt, config: "", loop: NO_LOOP, ...old })],
  // Version 2 was written without a stamp at first.
  (value) => ("loop" in value ? 2 : 1),
);

/** From the text that is kept, by whichever Hearth. Throws `store.foreign` for one of a newer Hearth. */
export const readFrozen = (text: string, begun: Begun): Frozen =>
  Frozen.parse(frozenVersions.read(JSON.parse(text), begun));

export const Frozen = z.object({
  v: z.int().exactOptional(),
  model: z.string(),
  /** What is tried when that one does not answer, in this order. */
  fallback: z.array(z.string()).default([]),
  zone: z.string(),
  agent: ActivationInput.shape.agent,
  room: ActivationInput.shape.room,
  house: ActivationInput.shape.house,
  /** Hashes of blobs. */
  parts: z.array(z.object({ name: z.string(), hash: z.string(), place: z.enum(partPlaces).default("prefix") })),
  /** The stretch of the room: events after `start`, up to `head`, as seen from `cause`. */
  range: z.object({ start: z.int(), cause: z.int(), head: z.int() }),
  /** What it is given of the session in place of what stands before that stretch. */
  summary: z.object({ hash: z.string(), label: Label, messages: z.int(), through: z.int() }).exactOptional(),
  /** What earlier turns there did before they failed or were stopped. */
  unfinished: z.object({ hash: z.string(), label: Label }).exactOptional(),
  names: z.record(AgentId, z.string()),
  /** What their words counted for. */
  standings: z.record(AgentId, z.enum(integrities)).default({}),
  /** What of its inbox it was shown; of a child, what it was asked, and by whom. */
  inbox: z.array(Shown).default([]),
  asker: z.string().exactOptional(),
  tools: z.array(z.string()),
  maxRounds: z.int(),
  /** When, UTC milliseconds, under which config, and for which loop: evidence, and what recovery goes by. */
  at: z.int(),
  config: z.string(),
  loop: z.int(),
});
export type Frozen = z.infer<typeof Frozen>;

export const toInput = (
  frozen: Frozen,
  { parts, history, hidden }: Pick<ActivationInput, "history"> & Given,
): ActivationInput => ({
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

interface Given {
  readonly parts: readonly ContextPart[];
  /** Tools that are not offered from the start. */
  readonly hidden: readonly string[];
}

/** What is of the day stands among the messages. */
const toPromptPart = ({ name, text, place }: ContextPart): readonly PromptPart[] => {
  if (place === "late") return [];
  return [place === "memory" ? { name, text: `# ${name}\n${text}`, stable: false } : { name, text }];
};
