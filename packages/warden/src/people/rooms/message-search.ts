/**
 * Finds messages by their words. The store lists messages whose words are missing or outdated. They
 * are indexed before a search, and by the retention sweep.
 */
import {
  type Excerpt,
  type RoomId,
  type StoredEvent,
  type StoredMessage,
  type StreamName,
  type World,
} from "@hearth/protocol";
import type { DurableStreams, Log, Store } from "../../kernel/index.ts";
import { type IndexedText, EXCERPT_MARKS, type PendingText, readSearchTerms } from "../../kernel/lazy.ts";
import { createCatchUp } from "./catch-up.ts";

export interface MessageQuery {
  /** The typed words. */
  readonly text: string;
  /** The rooms to search. Undefined for every room. */
  readonly rooms: readonly RoomId[] | undefined;
  readonly author?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface MessageHit {
  readonly message: StoredMessage;
  readonly excerpt: Excerpt;
  /** The position of the message in the order of time, as a cursor. */
  readonly position: string;
}

export interface FoundInRooms {
  /** The hits, newest first. */
  readonly hits: readonly MessageHit[];
  readonly next: string | undefined;
  /** Whether every message is indexed. */
  readonly isComplete: boolean;
}

export interface MessageSearch {
  /** Finds every message whose commit has resolved, unless `isComplete` is false. */
  find(query: MessageQuery): Promise<FoundInRooms>;
  /** Indexes the messages that are not indexed yet. Resolves early if `signal` aborts. */
  catchUp(signal?: AbortSignal): Promise<void>;
}

export interface MessageSearchOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Pick<Store, "texts" | "waitUntilIdle">;
  readonly streams: Pick<DurableStreams, "read" | "find">;
}

/** Number of messages per transaction, which takes some milliseconds. */
const MESSAGES_PER_TRANSACTION = 100;
/** Maximum time that a search waits for the index. Only after an upgrade is there more to do. */
const MAX_INDEX_WAIT_MS = 500;

export const createMessageSearch = ({ world, log, store, streams }: MessageSearchOptions): MessageSearch => {
  const { clock } = world;
  const { texts } = store;

  const eventAt = async (room: RoomId, offset: number): Promise<StoredEvent | undefined> => {
    const [event] = await streams.read(streamOf(room), offset - 1, 1);
    return event?.offset === offset ? (event as StoredEvent) : undefined;
  };

  const toIndexed = async (pending: PendingText): Promise<IndexedText> => {
    const { room, offset, edit } = pending;
    const event = await eventAt(room, offset);
    if (event?.type === "message-edited") {
      const message = await streams.find(streamOf(room), event.message);
      return message === undefined ? { kind: "nothing", pending } : { kind: "edit", pending, message: message.offset };
    }
    if (event?.type !== "message" || event.damaged === true) return { kind: "nothing", pending };
    const lastEvent = edit === undefined ? event : await eventAt(room, edit);
    const { text } = lastEvent?.type === "message-edited" ? lastEvent.body : event.body;
    const names = (event.attachments ?? []).map(({ name }) => name);
    return { kind: "words", pending, text: withoutMarks([text, ...names].join("\n")), author: event.author };
  };

  const indexPending = async (isOver: () => boolean): Promise<boolean> => {
    while (!isOver()) {
      const pending = await texts.pending(MESSAGES_PER_TRANSACTION);
      if (pending.length === 0) return true;
      await texts.write(await Promise.all(pending.map(toIndexed)));
      await clock.turn();
      if (pending.length === MESSAGES_PER_TRANSACTION) await store.waitUntilIdle();
    }
    return false;
  };
  const catchUp = createCatchUp({ clock, log, what: "messages", index: indexPending });

  return {
    catchUp: catchUp.run,
    async find({ text, cursor, limit, ...filters }) {
      const isComplete = await catchUp.isDone(MAX_INDEX_WAIT_MS);
      const terms = readSearchTerms(text);
      const foundTexts = await texts.find({ ...filters, terms, before: cursor, limit: limit + 1 });
      const page = foundTexts.slice(0, limit);
      const hits = await Promise.all(
        page.map(async ({ id, room, offset, excerpt }) => {
          const message = await eventAt(room, offset);
          return message?.type === "message" ? [{ message, excerpt: toExcerpt(excerpt), position: id }] : [];
        }),
      );
      return { hits: hits.flat(), next: foundTexts.length > limit ? page.at(-1)?.id : undefined, isComplete };
    },
  };
};

const streamOf = (room: RoomId): StreamName => `room:${room}`;

const [OPEN_MARK, CLOSE_MARK] = EXCERPT_MARKS;
const MARKS = new RegExp(`[${EXCERPT_MARKS.join("")}]`, "gu");

export const withoutMarks = (text: string): string => text.replace(MARKS, " ");

/** Removes the marks from an excerpt, and returns the places that they enclosed. */
export const toExcerpt = (marked: string): Excerpt => {
  const marks: [number, number][] = [];
  let text = "";
  for (const [index, part] of marked.split(OPEN_MARK).entries()) {
    const [inside = "", ...after] = index === 0 ? ["", part] : part.split(CLOSE_MARK);
    if (inside !== "") marks.push([text.length, text.length + inside.length]);
    text += inside + after.join("");
  }
  return { text, marks };
};
