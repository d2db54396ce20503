/** What an activation is given: the brain's files, the session so far, the tools. Gathered once, then frozen. */
import {
  ActivationInput,
  AgentId,
  type AgentRecord,
  DEFAULT_MODEL,
  HearthError,
  type ModelMessage,
  type PromptPart,
  type RoomId,
  type Stored,
} from "@hearth/protocol";
import { z } from "zod";
import type { Brain, Brains } from "../brains/brains.ts";
import type { Records } from "../identity/records.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Row } from "../store/tables.ts";
import type { DurableStreams } from "../streams/streams.ts";
import { historyStart, toHistory } from "./history.ts";
import { offeredTools } from "./offered-tools.ts";
import { createStamps } from "./stamps.ts";

export interface ContextOptions {
  readonly records: Records;
  readonly streams: DurableStreams;
  readonly brains: Brains;
  readonly blobs: Blobs;
}

/** What an activation was given, by reference: enough to give it the very same again after a crash. */
const Frozen = z.object({
  model: z.string(),
  zone: z.string(),
  agent: ActivationInput.shape.agent,
  room: ActivationInput.shape.room,
  house: ActivationInput.shape.house,
  /** Hashes of blobs. */
  parts: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** The stretch of the room: events after `start`, up to `head`, as seen from `cause`. */
  range: z.object({ start: z.int(), cause: z.int(), head: z.int() }),
  names: z.record(AgentId, z.string()),
  tools: z.array(z.string()),
  maxRounds: z.int(),
});
export type Frozen = z.infer<typeof Frozen>;

export interface Context {
  /** Gathers what the activation starts from. Throws `record.not-found` when its agent or room has gone. */
  freeze(
    activation: Row<"activations">,
    agent: AgentRecord,
  ): Promise<{ readonly frozen: Frozen; readonly input: ActivationInput }>;
  /** The same input as when it was frozen, from the row's text. */
  thaw(
    activation: Row<"activations">,
    frozen: string,
  ): Promise<{ readonly frozen: Frozen; readonly input: ActivationInput }>;
}

/** Brain files that are always in the prompt, in its order. */
const ALWAYS = ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md"] as const;

/** Ten rounds with tools and one to answer. */
const MAX_ROUNDS = 11;

export const createContext = ({ records, streams, brains, blobs }: ContextOptions): Context => {
  const stampIn = createStamps();
  const hashes = new Map<string, string>();

  /** A text's blob. Brain files change seldom, so each is hashed and synced once. */
  const keep = async (text: string): Promise<string> => {
    const known = hashes.get(text);
    if (known !== undefined) return known;
    const hash = await blobs.put(new TextEncoder().encode(text));
    if (hashes.size >= MAX_KEPT) hashes.clear();
    hashes.set(text, hash);
    return hash;
  };

  const eventsIn = (room: RoomId, { start, head }: Frozen["range"]): Promise<readonly Stored[]> =>
    streams.read(`room:${room}`, start, head - start);

  const namesOf = async (events: readonly Stored[]): Promise<Frozen["names"]> => {
    const authors = new Set(events.flatMap((event) => (event.type === "message" ? [event.author] : [])));
    const agents = await Promise.all([...authors].map((id) => records.find("agent", id)));
    return Object.fromEntries(agents.flatMap((agent) => (agent === undefined ? [] : [[agent.id, agent.content.name]])));
  };

  const toMessages = (events: readonly Stored[], agent: AgentId, { range, names, zone }: Frozen): ModelMessage[] =>
    toHistory({
      events,
      causeOffset: range.cause,
      agent,
      nameOf: (id) => names[id] ?? "someone who left",
      when: stampIn(zone),
    });

  return {
    async freeze(activation, agent) {
      const roomId = activation.room as RoomId;
      const [room, brain, head] = await Promise.all([
        records.get("room", roomId),
        brains.open(agent),
        streams.head(`room:${roomId}`),
      ]);
      const range = { start: historyStart(activation.cause_offset), cause: activation.cause_offset, head };
      const [house, events, parts] = await Promise.all([
        records.get("house", room.house),
        eventsIn(roomId, range),
        gatherParts(agent, brain),
      ]);
      const frozen: Frozen = {
        model: agent.content.model ?? DEFAULT_MODEL,
        zone: agent.content.timezone ?? house.content.timezone,
        agent: { name: agent.content.name, handle: agent.handle },
        room: { name: room.content.name, kind: room.content.kind },
        house: {
          name: house.content.name,
          ...(house.content.description === undefined ? {} : { description: house.content.description }),
        },
        parts: await Promise.all(parts.map(async ({ name, text }) => ({ name, hash: await keep(text) }))),
        range,
        names: await namesOf(events),
        tools: [...offeredTools(agent)],
        maxRounds: MAX_ROUNDS,
      };
      return { frozen, input: toInput(frozen, parts, toMessages(events, agent.id, frozen)) };
    },

    async thaw(activation, text) {
      const frozen = Frozen.parse(JSON.parse(text));
      const parts = await Promise.all(
        frozen.parts.map(async ({ name, hash }) => {
          const bytes = await blobs.get(hash);
          if (bytes === undefined) {
            throw new HearthError(
              "store.unavailable",
              `A blob of activation ${activation.id} is missing: ${hash} (${name}).`,
              {
                hint: "Restore blobs/ of the home folder from a backup, or send the message again.",
              },
            );
          }
          return { name, text: new TextDecoder().decode(bytes) };
        }),
      );
      const events = await eventsIn(activation.room as RoomId, frozen.range);
      return { frozen, input: toInput(frozen, parts, toMessages(events, activation.agent as AgentId, frozen)) };
    },
  };
};

/** Texts whose hash is kept in memory. */
const MAX_KEPT = 1000;

const toInput = (frozen: Frozen, parts: readonly PromptPart[], history: ModelMessage[]): ActivationInput => ({
  agent: frozen.agent,
  room: frozen.room,
  house: frozen.house,
  parts: [...parts],
  history,
  tools: frozen.tools,
  maxRounds: frozen.maxRounds,
});

const gatherParts = async (agent: AgentRecord, brain: Brain): Promise<PromptPart[]> => {
  const files = await Promise.all(ALWAYS.map(async (name) => ({ name, text: await brain.read(name) })));
  const parts = files.flatMap(({ name, text }) =>
    text === undefined || text.trim() === "" ? [] : [{ name, text: shorten(text) }],
  );
  const { prompt } = agent.content;
  return prompt === undefined || prompt.trim() === "" ? parts : [...parts, { name: "prompt", text: shorten(prompt) }];
};

/** Longest file in a prompt, in UTF-16 code units. */
export const MAX_PART_LENGTH = 20_000;

/** Keeps 70 % head and 20 % tail of what is too long, and says so in between. */
export const shorten = (text: string): string => {
  if (text.length <= MAX_PART_LENGTH) return text;
  const head = text.slice(0, MAX_PART_LENGTH * 0.7);
  const tail = text.slice(-MAX_PART_LENGTH * 0.2);
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
};
