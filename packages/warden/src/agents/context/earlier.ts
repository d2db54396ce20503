/**
 * Searches by words the messages that a summary has replaced in prompts. Each search reads the
 * conversation from the room, without an index or a cache.
 */
import type { Records } from "../../people/index.ts";
import type { Store, DurableStreams } from "../../kernel/index.ts";
import {
  isScheduled,
  type AgentId,
  joinLabels,
  type Label,
  OWNER_LABEL,
  readableText,
  type RoomId,
  type Stored,
} from "@hearth/protocol";
import type { EarlierMessage, FindEarlier } from "../memory/house-memory.ts";
import { contentWordsIn, wordsIn } from "../memory/distinctive-words.ts";
import type { AuthorsOf } from "./authors.ts";
import { labelMessages } from "./labelled-values.ts";
import type { Sessions } from "./sessions.ts";
import { stampIn } from "./stamps.ts";
import { currentMessages, type CurrentMessages } from "./current-messages.ts";

const EVENTS_PER_READ = 1000;
/** Maximum number of messages to search, the newest of the range. */
const MAX_EVENTS = 20_000;
const MAX_RESULTS = 3;
/** Maximum length of a result's text, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1500;
/** Minimum share of the question's total word weight that a match has. */
const MIN_WEIGHT_SHARE = 0.5;
/** Number of equal first letters by which two words count as forms of one word. */
const STEM_LENGTH = 5;

export const createFindEarlier = (options: {
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "read" | "head">;
  readonly sessions: Pick<Sessions, "get">;
  readonly records: Pick<Records, "find">;
  readonly authorsOf: AuthorsOf;
}): FindEarlier => {
  const { store, streams, sessions, records, authorsOf } = options;

  /** Reads the current messages, without those that were deleted later. */
  const readMessages = async (room: RoomId, after: number, through: number): Promise<CurrentMessages> => {
    const events: Stored[] = [];
    const head = await streams.head(`room:${room}`);
    for (let from = Math.max(after, through - MAX_EVENTS); from < head; from += EVENTS_PER_READ)
      for (const event of await streams.read(`room:${room}`, from, Math.min(EVENTS_PER_READ, head - from)))
        if (event.type !== "message" || event.offset <= through) events.push(event);
    const { messages, removed } = currentMessages(events);
    return {
      removed,
      messages: messages.filter((message) => !removed.has(message.id) && readableText(message) !== ""),
    };
  };

  return async (agent, { room, trigger, parent }, query) => {
    if (parent !== null || isScheduled({ trigger })) return [];
    const { activeCompaction } = await sessions.get(agent.id, room);
    if (activeCompaction === undefined) return [];
    const doneRows = await store.select({ table: "compactions", where: { agent: agent.id, room, state: "done" } });
    const after = Math.min(activeCompaction.after, ...doneRows.map((row) => row.after));
    const range = await readMessages(room, after, activeCompaction.through);
    const bestIndexes = rank(range.messages.map(readableText), query);
    const foundMessages = bestIndexes.flatMap((index) => range.messages[index] ?? []);
    const house = await records.find("house", agent.house);
    const formatTime = stampIn(house?.content.timezone ?? "UTC");
    const authors = await authorsOf({ messages: foundMessages, removed: range.removed }, agent);
    return foundMessages.map((message): EarlierMessage => {
      const single = { messages: [message], removed: range.removed };
      const labelled = labelMessages({ current: single, cause: message.offset, agent: agent.id, ...authors });
      return {
        id: message.id,
        when: formatTime(message.at),
        who: authorName(message.author, agent.id, authors.names),
        text: readableText(message).slice(0, MAX_TEXT_LENGTH).toWellFormed(),
        label: labelled.reduce<Label>((joined, { label }) => joinLabels(joined, label), OWNER_LABEL),
      };
    });
  };
};

const authorName = (author: AgentId, agent: AgentId, names: Readonly<Record<string, string>>): string =>
  author === agent ? "you" : (names[author] ?? "someone who left");

/**
 * Returns the indexes of the best matches for a question. Rare words weigh more. Among equal matches,
 * the later message comes first.
 */
const rank = (texts: readonly string[], query: string): readonly number[] => {
  const queryStems = new Set(contentWordsIn(query).map(stem));
  const textStems = texts.map((text) => new Set(wordsIn(text).map(stem)));
  const weights = new Map<string, number>();
  for (const word of queryStems) {
    const count = textStems.filter((words) => words.has(word)).length;
    if (count > 0) weights.set(word, Math.log(1 + texts.length / count));
  }
  const totalWeight = sum([...weights.values()]);
  return textStems
    .map((words, index) => ({
      index,
      score: sum([...weights].map(([word, weight]) => (words.has(word) ? weight : 0))),
    }))
    .filter(({ score }) => score > 0 && score >= MIN_WEIGHT_SHARE * totalWeight)
    .sort((a, b) => b.score - a.score || b.index - a.index)
    .slice(0, MAX_RESULTS)
    .map(({ index }) => index);
};

const stem = (word: string): string => word.slice(0, STEM_LENGTH);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
