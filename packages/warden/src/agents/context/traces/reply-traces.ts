/**
 * Finds and deletes what an agent wrote from a forgotten source: its messages in rooms and its
 * notes to other agents. Also deletes the source itself if it is a message.
 */
import {
  writeJson,
  readLabel,
  type Store,
  type Write,
  type DurableStreams,
  type NewEvent,
} from "../../../kernel/index.ts";
import { cleanName } from "../../../policy/index.ts";
import type { Records, Uploads } from "../../../people/index.ts";
import {
  type AgentId,
  type EventId,
  InboxStatus,
  isHearthError,
  type KeptReply,
  MAX_KEPT_REPLIES,
  type MessageEvent,
  type RoomId,
  type StoredMessage,
  type StreamName,
  type World,
  type ErrorBody,
} from "@hearth/protocol";
import type { ForgetTarget } from "../../memory/forget-target.ts";
import { type TextMatch, wordsIn } from "../../memory/distinctive-words.ts";
import { labelOf } from "../labelled-values.ts";

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
  readSourceTexts(meant: ForgetTarget): Promise<readonly string[]>;
  /**
   * Finds the agent's messages. `readers` are the turns known to have read the source. `carries`
   * returns whether a text contains something of the source.
   */
  find(meant: ForgetTarget, readers: ReadonlySet<string>, carries: TextMatch): Promise<FoundReplies>;
  /** Deletes these messages. Returns the hashes of blobs that the caller may delete. */
  deleteMessages(said: readonly StoredMessage[], by: AgentId): Promise<readonly string[]>;
  /**
   * Erases the notes that these turns left for other agents, and the records of their network
   * requests.
   */
  erase(meant: ForgetTarget, turns: ReadonlySet<string>): Promise<void>;
}

/** Maximum number of events in one read of a room. */
const EVENTS_PER_READ = 1000;
const FORGOTTEN = "[forgotten]";
/** Maximum length of the quote of a remaining message, in UTF-16 code units. */
const MAX_QUOTED = 80;
/** Final states of a delivery. */
const OVER = ["sent", "unknown", "refused"] as const;

export const createReplyTraces = (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit" | "find" | "read">;
  readonly records: Pick<Records, "list" | "find" | "mutate">;
  readonly uploads: Pick<Uploads, "planRemoval" | "erase">;
}): ReplyTraces => {
  const { world, store, streams, records, uploads } = options;

  /** Deletes the message's text and its files. The message keeps its offset. */
  const takeBack = async ({ id, offset, room }: StoredMessage, by: AgentId): Promise<readonly string[]> => {
    const stream = `room:${room}` as const;
    const at = world.clock.now();
    const tombstone: NewEvent = {
      stream,
      id: world.ids.derive("evt", id, "deleted"),
      event: { type: "message-deleted", room, by, at, message: id },
    };
    const messageRows = await store.select({ table: "events", where: { stream, id } });
    await removeTitle(records, room, id, by);
    const edits = (await store.select({ table: "events", where: { stream, type: "message-edited" } })).filter(
      (row) => row.offset > offset,
    );
    const writes: Write[] = [];
    const blobs: string[] = [];
    for (const row of [...messageRows, ...edits]) {
      const event = await streams.find(stream, row.id);
      if (event?.type === "message") writes.push(redact(stream, id, withoutText(event)));
      else if (event?.type === "message-edited" && event.message === id)
        writes.push(redact(stream, event.id, { ...eventOf(event), body: { format: "markdown", text: "" } }));
      else continue;
      if (row.blob !== null) blobs.push(row.blob);
    }
    const files = await uploads.planRemoval(id);
    const named = await store.select({ table: "attachments", where: { event: id } });
    await streams.commit({ writes: [...writes, ...files.writes, ...(await outgoing(id))], events: [tombstone] });
    for (const { upload } of named) blobs.push(...(await uploads.erase(upload)));
    return blobs;
  };

  /** Cancels the deliveries that are not sent yet. A sent delivery cannot be recalled. */
  const outgoing = async (event: EventId): Promise<readonly Write[]> => {
    const cleared = { body: "", choices: null };
    const error = writeJson<ErrorBody>({ code: "channel.refused", message: "It was forgotten." });
    return [
      ...OVER.map((state) => ({ kind: "update", table: "outbox", where: { event, state }, set: cleared }) as const),
      {
        kind: "update",
        table: "outbox",
        where: { event, state: "queued" },
        set: { ...cleared, state: "refused", error, ended_at: world.clock.now() },
      },
    ];
  };

  /** Returns the agent's messages in rooms that are not deleted, room by room, oldest first. */
  const messages = async function* ({ agent }: ForgetTarget): AsyncGenerator<StoredMessage> {
    for (const { id: room } of await records.list("room", agent.house))
      for (let after = 0; ;) {
        const events = await streams.read(`room:${room}`, after, EVENTS_PER_READ);
        for (const event of events) if (event.type === "message" && hasContent(event)) yield event;
        after = events.at(-1)?.offset ?? after;
        if (events.length < EVENTS_PER_READ) break;
      }
  };

  const isWhole = ({ turns: of, isSaidIn, message }: ForgetTarget, event: StoredMessage): boolean =>
    event.id === message?.id ||
    (event.activation !== undefined && of.has(event.activation)) ||
    isSaidIn(event.body.text);

  /** Erases notes to other agents and their log entries. */
  const notes = async (meant: ForgetTarget, turns: ReadonlySet<string>): Promise<void> => {
    const rows = await store.select({ table: "inbox", where: { sender: meant.agent.id } });
    for (const row of rows) {
      const sources = readLabel(row.labels)?.sources ?? [];
      if (row.text === FORGOTTEN) continue;
      if (!turns.has(row.activation) && !sources.some(meant.isSource) && !meant.isSaidIn(row.text)) continue;
      const stream = `agent:${row.recipient}` as const;
      const writes: Write[] = [
        { kind: "update", table: "inbox", where: { id: row.id }, set: { text: FORGOTTEN, labels: null } },
      ];
      for (const status of InboxStatus.options) {
        const event = await streams.find(stream, world.ids.derive("evt", row.id, status));
        if (event?.type !== "inbox-changed") continue;
        const { message } = event;
        writes.push(redact(stream, event.id, { ...eventOf(event), message: { ...message, text: FORGOTTEN } }));
      }
      await streams.commit({ writes });
    }
  };

  /** Erases the records of network requests. */
  const requests = async ({ agent, isSource }: ForgetTarget): Promise<void> => {
    const rows = await store.select({ table: "egress", where: { agent: agent.id } });
    const writes = rows.flatMap(({ id, host, path }): readonly Write[] =>
      path !== null && [`https://${host}${path}`, `http://${host}${path}`].some(isSource)
        ? [{ kind: "update", table: "egress", where: { id }, set: { path: null } }]
        : [],
    );
    if (writes.length > 0) await streams.commit({ writes });
  };

  return {
    async readSourceTexts(meant) {
      const people = await records.list("agent", meant.agent.house);
      const isNamed = ({ content }: (typeof people)[number]): boolean =>
        labelOf("untrusted", cleanName(content.name)).sources.some(meant.isSource);
      const authors = new Set(people.filter(isNamed).map(({ id }) => id));
      const heard: string[] = [];
      for await (const { author, label, body } of messages(meant))
        if (
          body.text !== "" &&
          author !== meant.agent.id &&
          (authors.has(author) || (label?.sources ?? []).some(meant.isSource))
        )
          heard.push(body.text);
      return heard;
    },

    async find(meant, readers, carries) {
      const { agent, message, isSource, isReadAnywhere, takesReplies } = meant;
      const turns = new Set<string>();
      const matchingReplies: StoredMessage[] = [];
      const kept: KeptReply[] = [];
      let keptCount = 0;
      let room: RoomId | undefined;
      /**
       * Names that other authors used in the room before. If the agent uses such a name
       * later, this does not show that it read the source.
       */
      let known = new Set<string>();
      for await (const event of messages(meant)) {
        if (event.room !== room) known = new Set();
        room = event.room;
        const { author, activation, body, label } = event;
        if (author !== agent.id && event.id !== message?.id) {
          if (!(label?.sources ?? []).some(isSource)) for (const word of wordsIn(body.text)) known.add(word);
          continue;
        }
        const hasRead = (activation !== undefined && readers.has(activation)) || (label?.sources ?? []).some(isSource);
        const isTaken =
          isWhole(meant, event) ||
          (hasRead && (takesReplies || carries(body.text, (name) => known.has(name)))) ||
          // If the reading turns are unknown, a name may come from any text.
          (isReadAnywhere && carries(body.text, () => true));
        if (isTaken) matchingReplies.push(event);
        else if (hasRead) {
          keptCount += 1;
          kept.push({ id: event.id, room, at: event.at, text: beginningOf(body.text) });
          if (kept.length > MAX_KEPT_REPLIES) kept.shift();
        }
        if ((isTaken || hasRead) && activation !== undefined) turns.add(activation);
      }
      return { messages: matchingReplies, turns, kept, keptCount };
    },

    async deleteMessages(said, by) {
      const blobs: string[] = [];
      for (const event of said) blobs.push(...(await takeBack(event, by)));
      return blobs;
    },

    async erase(meant, turns) {
      await notes(meant, turns);
      await requests(meant);
    },
  };
};

const beginningOf = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= MAX_QUOTED ? line : `${line.slice(0, MAX_QUOTED).toWellFormed()}…`;
};

/** A message that was forgotten has neither text nor files. */
const hasContent = ({ body, attachments = [] }: StoredMessage): boolean => body.text !== "" || attachments.length > 0;

const withoutText = (event: StoredMessage): MessageEvent => {
  const { id: _id, offset: _offset, label: _label, attachments: _attachments, ...rest } = event;
  return { ...rest, body: { format: "markdown", text: "" } };
};

const eventOf = <Event extends { readonly id: EventId; readonly offset: number }>(
  event: Event,
): Omit<Event, "id" | "offset"> => {
  const { id: _id, offset: _offset, ...rest } = event;
  return rest;
};

const redact = (stream: StreamName, id: EventId, event: object): Write => ({
  kind: "update",
  table: "events",
  where: { stream: stream as `room:${string}`, id },
  set: { body: JSON.stringify(event), blob: null, labels: null },
});

/**
 * Removes a chat's title that comes from this message. The next message then gives the chat its
 * title.
 */
const removeTitle = async (
  records: Pick<Records, "find" | "mutate">,
  room: RoomId,
  message: EventId,
  by: AgentId,
): Promise<void> => {
  for (;;) {
    const found = await records.find("room", room);
    if (found?.content.titleFrom !== message) return;
    const content = { title: null, titleFrom: "next" };
    try {
      await records.mutate({ kind: "update", id: room, content, version: found.version }, by);
      return;
    } catch (error) {
      if (!isHearthError(error, "record.version")) throw error;
    }
  }
};
