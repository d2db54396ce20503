/**
 * Finds and deletes what an agent wrote from a forgotten source: its messages in rooms and its
 * notes to other agents. If the source is a message, it is deleted too.
 */
import { readLabel, type Store, type Write, type DurableStreams } from "../../../kernel/index.ts";
import { cleanName } from "../../../policy/index.ts";
import type { Records, Uploads } from "../../../people/index.ts";
import {
  type AgentId,
  InboxStatus,
  type KeptReply,
  MAX_KEPT_REPLIES,
  type RoomId,
  type StoredMessage,
  type World,
} from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";
import { type TextMatch, wordsIn } from "../../memory/distinctive-words.ts";
import { labelOf } from "../labelled-values.ts";
import { createDeleteMessages } from "./delete-messages.ts";
import { eventOf, redact } from "./redact.ts";

/** The agent's messages that contain text of the source. */
export interface FoundReplies {
  /** The messages to delete, in order. */
  readonly messages: readonly StoredMessage[];
  /**
   * The turns that wrote a message after they had read the source. The message may already be
   * deleted.
   */
  readonly turns: ReadonlySet<string>;
  /** The newest of the remaining messages. */
  readonly kept: readonly KeptReply[];
  readonly keptCount: number;
}

export interface ReplyTraces {
  /**
   * Returns the texts of other authors' room messages that are the source itself, by author or
   * label.
   */
  readSourceTexts(target: ForgetTarget): Promise<readonly string[]>;
  /**
   * Finds the agent's messages. `readers` are the turns known to have read the source.
   * `containsSource` returns whether a text contains a part of the source.
   */
  find(target: ForgetTarget, readers: ReadonlySet<string>, containsSource: TextMatch): Promise<FoundReplies>;
  /** Deletes these messages, and their copies in branches. Returns the hashes of blobs that the caller may delete. */
  deleteMessages(messages: readonly StoredMessage[], by: AgentId): Promise<readonly string[]>;
  /**
   * Erases the notes that these turns left for other agents, and the records of their network
   * requests.
   */
  erase(target: ForgetTarget, turns: ReadonlySet<string>): Promise<void>;
}

/** Maximum number of events in one read of a room. */
const EVENTS_PER_READ = 1000;
const FORGOTTEN_TEXT = "[forgotten]";
/** Maximum length of the quote of a remaining message, in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 80;

export const createReplyTraces = (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit" | "find" | "read">;
  readonly records: Pick<Records, "list" | "find" | "mutate">;
  readonly uploads: Pick<Uploads, "planRemoval" | "erase">;
}): ReplyTraces => {
  const { world, store, streams, records } = options;

  /** Returns the agent's messages in rooms that are not deleted, room by room, oldest first. */
  const readMessages = async function* ({ agent }: ForgetTarget): AsyncGenerator<StoredMessage> {
    for (const { id: room } of await records.list("room", agent.house))
      for (let lastOffset = 0; ;) {
        const events = await streams.read(`room:${room}`, lastOffset, EVENTS_PER_READ);
        for (const event of events) if (event.type === "message" && hasContent(event)) yield event;
        lastOffset = events.at(-1)?.offset ?? lastOffset;
        if (events.length < EVENTS_PER_READ) break;
      }
  };

  const isSourceMessage = ({ turns, occursIn, message }: ForgetTarget, event: StoredMessage): boolean =>
    event.id === message?.id ||
    (event.activation !== undefined && turns.has(event.activation)) ||
    occursIn(event.body.text);

  /** Erases notes to other agents and their log entries. */
  const eraseNotes = async (target: ForgetTarget, turns: ReadonlySet<string>): Promise<void> => {
    const rows = await store.select({ table: "inbox", where: { sender: target.agent.id } });
    for (const row of rows) {
      const sources = readLabel(row.labels)?.sources ?? [];
      if (row.text === FORGOTTEN_TEXT) continue;
      if (!turns.has(row.activation) && !sources.some(target.isSource) && !target.occursIn(row.text)) continue;
      const stream = `agent:${row.recipient}` as const;
      const writes: Write[] = [
        { kind: "update", table: "inbox", where: { id: row.id }, set: { text: FORGOTTEN_TEXT, labels: null } },
      ];
      for (const status of InboxStatus.options) {
        const event = await streams.find(stream, world.ids.derive("evt", row.id, status));
        if (event?.type !== "inbox-changed") continue;
        const { message } = event;
        writes.push(redact(stream, event.id, { ...eventOf(event), message: { ...message, text: FORGOTTEN_TEXT } }));
      }
      await streams.commit({ writes });
    }
  };

  /** Erases the records of network requests. */
  const eraseRequests = async ({ agent, isSource }: ForgetTarget): Promise<void> => {
    const rows = await store.select({ table: "egress", where: { agent: agent.id } });
    const writes = rows.flatMap(({ id, host, path }): readonly Write[] =>
      path !== null && [`https://${host}${path}`, `http://${host}${path}`].some(isSource)
        ? [{ kind: "update", table: "egress", where: { id }, set: { path: null } }]
        : [],
    );
    if (writes.length > 0) await streams.commit({ writes });
  };

  return {
    async readSourceTexts(target) {
      const people = await records.list("agent", target.agent.house);
      const isNamed = ({ content }: (typeof people)[number]): boolean =>
        labelOf("untrusted", cleanName(content.name)).sources.some(target.isSource);
      const authors = new Set(people.filter(isNamed).map(({ id }) => id));
      const sourceTexts: string[] = [];
      for await (const { author, label, body } of readMessages(target))
        if (
          body.text !== "" &&
          author !== target.agent.id &&
          (authors.has(author) || (label?.sources ?? []).some(target.isSource))
        )
          sourceTexts.push(body.text);
      return sourceTexts;
    },

    async find(target, readers, containsSource) {
      const { agent, message, isSource, isReadAnywhere, deletesReplies } = target;
      const turns = new Set<string>();
      const matchingReplies: StoredMessage[] = [];
      const keptReplies: KeptReply[] = [];
      let keptCount = 0;
      let room: RoomId | undefined;
      /**
       * Names that other authors used in the room before. If the agent uses such a name
       * later, this does not show that it read the source.
       */
      let knownNames = new Set<string>();
      for await (const event of readMessages(target)) {
        if (event.room !== room) knownNames = new Set();
        room = event.room;
        const { author, activation, body, label } = event;
        if (author !== agent.id && event.id !== message?.id) {
          if (!(label?.sources ?? []).some(isSource)) for (const word of wordsIn(body.text)) knownNames.add(word);
          continue;
        }
        const hasRead = (activation !== undefined && readers.has(activation)) || (label?.sources ?? []).some(isSource);
        const isMatch =
          isSourceMessage(target, event) ||
          (hasRead && (deletesReplies || containsSource(body.text, (name) => knownNames.has(name)))) ||
          // If the reading turns are unknown, a name may come from any text.
          (isReadAnywhere && containsSource(body.text, () => true));
        if (isMatch) matchingReplies.push(event);
        else if (hasRead) {
          keptCount += 1;
          keptReplies.push({ id: event.id, room, at: event.at, text: beginningOf(body.text) });
          if (keptReplies.length > MAX_KEPT_REPLIES) keptReplies.shift();
        }
        if ((isMatch || hasRead) && activation !== undefined) turns.add(activation);
      }
      return { messages: matchingReplies, turns, kept: keptReplies, keptCount };
    },

    deleteMessages: createDeleteMessages(options),

    async erase(target, turns) {
      await eraseNotes(target, turns);
      await eraseRequests(target);
    },
  };
};

const beginningOf = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= MAX_QUOTE_LENGTH ? line : `${line.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…`;
};

/** A message that was forgotten has neither text nor files. */
const hasContent = ({ body, attachments = [] }: StoredMessage): boolean => body.text !== "" || attachments.length > 0;
