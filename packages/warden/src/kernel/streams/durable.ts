/**
 * Streams in the store. Each event is a row, and a long body is a blob. Commits wake followers, so
 * that these need no polling. Recent events are read from a shared cache in memory, so that many
 * followers cost as little as one.
 */
import { type Json, writeJson } from "../store/json.ts";
import {
  type AnyEvent,
  DAMAGED_TEXT,
  HearthError,
  isHearthError,
  type Stored,
  type StreamName,
  UNKNOWN_AGENT,
  type World,
  type Label,
  type RoomId,
} from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import { packBody, unpackBody } from "../store/bodies.ts";
import type { AppendWrite, Appended, Store } from "../store/store.ts";
import type { Row } from "../store/tables/tables.ts";
import { createAppendSignal } from "./append-signal.ts";
import type { DurableStreams, NewEvent, StreamHead } from "./streams.ts";
import { readEvent } from "./event-versions.ts";
import { createTail, type AppendedEvent } from "./tail.ts";

/**
 * Maximum number of events in a follower's batch. Its characters are limited too. A slow follower
 * holds one batch.
 */
const MAX_BATCH_EVENTS = 100;
const MAX_BATCH_LENGTH = 256 * 1024;
/** Number of streams per query for heads. */
const HEADS_PER_QUERY = 512;
/** A follower's pause when the store cannot be read. */
const RETRY_MS = 1000;

export const createDurableStreams = (options: {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  readonly blobs: Blobs;
  /**
   * Whether other daemons may append to the store. Default: `shared`, so that the tail's head is
   * checked in the store.
   */
  readonly house?: "alone" | "shared";
  /** When it aborts, the cache in memory is emptied. */
  readonly signal?: AbortSignal;
  /** Records damaged events, and followers that wait for the store. */
  readonly log?: Log;
}): DurableStreams => {
  const { world, store, blobs, house = "shared", signal: closeSignal, log } = options;
  const reportDamage = createDamageReport(log);
  const appendSignal = createAppendSignal();
  const tail = createTail({ clock: world.clock, ...(closeSignal === undefined ? {} : { signal: closeSignal }) });

  const toAppend = async (
    { stream, id, event, labels = labelsOf(event) }: NewEvent,
    text: string,
  ): Promise<AppendWrite> => {
    const { inline, blob } = await packBody(blobs, text);
    return { kind: "append", stream, event: { id, type: event.type, at: event.at, body: inline, blob, labels } };
  };

  /**
   * Returns the event, or a placeholder if its body is missing or damaged, so that offsets stay
   * dense for readers.
   */
  const toStored = async (row: Row<"events">): Promise<{ readonly event: Stored; readonly length: number }> => {
    try {
      const text = await unpackBody(blobs, { inline: row.body, blob: row.blob });
      return { event: parse(row, text), length: text.length };
    } catch (error) {
      if (!isHearthError(error, "store.damaged")) throw error;
      reportDamage(row, error);
      return { event: placeholderOf(row), length: 0 };
    }
  };

  /** Returns the head if it is certain without a read of the store. */
  const cachedHead = (stream: StreamName): number | undefined => (house === "alone" ? tail.head(stream) : undefined);

  const head = async (stream: StreamName): Promise<number> => {
    const cachedOffset = cachedHead(stream);
    if (cachedOffset !== undefined) return cachedOffset;
    const [row] = await store.select({ table: "heads", where: { stream } });
    return row?.head ?? 0;
  };

  const heads: DurableStreams["heads"] = async (names) => {
    const headsByStream = new Map<StreamName, StreamHead>();
    for (let start = 0; start < names.length; start += HEADS_PER_QUERY) {
      const group = names.slice(start, start + HEADS_PER_QUERY);
      const rows = await store.select({ table: "heads", and: [{ column: "stream", is: "in", value: group }] });
      for (const { stream, head: offset } of rows) {
        // Reads one row by its key, without its body.
        const [lastEvent] = await store.select({ table: "events", where: { stream, offset } });
        if (lastEvent !== undefined) headsByStream.set(stream as StreamName, { offset, at: lastEvent.at });
      }
    }
    return headsByStream;
  };

  const select = (stream: StreamName, after: number, limit: number): Promise<readonly Row<"events">[]> =>
    store.select({
      table: "events",
      where: { stream },
      and: [{ column: "offset", is: ">", value: after }],
      order: [{ column: "offset" }],
      limit,
    });

  /** Reads a batch for a follower, which calls again for the rest. */
  const readBatch = async (stream: StreamName, after: number): Promise<readonly Stored[]> => {
    const batch: Stored[] = [];
    let length = 0;
    for (const row of await select(stream, after, MAX_BATCH_EVENTS)) {
      if (length > MAX_BATCH_LENGTH) break;
      const stored = await toStored(row);
      length += stored.length;
      batch.push(stored.event);
    }
    return batch;
  };

  const read: DurableStreams["read"] = async (stream, after, limit) => {
    const cached = tail.readAfter(stream, after, limit);
    const isComplete = cached.length === limit || after + cached.length === cachedHead(stream);
    if (isComplete) return cached;
    return Promise.all((await select(stream, after, limit)).map(async (row) => (await toStored(row)).event));
  };

  const find: DurableStreams["find"] = async (stream, id) => {
    const cached = tail.find(stream, id);
    if (cached !== undefined) return cached;
    const [row] = await store.select({ table: "events", where: { stream, id } });
    return row === undefined ? undefined : (await toStored(row)).event;
  };

  const commit: DurableStreams["commit"] = async ({ writes, events = [], ends = [], ...commitOptions }) => {
    const texts = events.map(({ event }) => JSON.stringify(event));
    const appends = await Promise.all(events.map((event, index) => toAppend(event, texts[index] ?? "")));
    const updateTail = tail.announceCommit(new Set(events.map(({ stream }) => stream)));
    try {
      const result = await store.commit({ ...commitOptions, writes: [...writes, ...appends] });
      const appendedEvents =
        result.kind === "committed"
          ? toAppendedEvents(result.appended.slice(result.appended.length - events.length), texts)
          : [];
      // The calls are in this order and without an `await`, so that a woken reader finds the
      // events.
      updateTail(appendedEvents);
      for (const write of writes)
        if (write.kind !== "append" && write.table === "events") tail.forget(write.where.stream as StreamName);
      for (const stream of new Set(appendedEvents.map((appended) => appended.stream))) appendSignal.notify(stream);
      if (result.kind === "committed") for (const stream of ends) appendSignal.end(stream);
      return result;
    } catch (error) {
      updateTail("unknown");
      throw error;
    }
  };

  return {
    head,
    heads,
    read,
    find,
    commit,
    watch: appendSignal.watch,
    async append(event, { expected } = {}) {
      const { stream, id } = event;
      const guards = expected === undefined ? [] : [{ kind: "head" as const, stream, offset: expected }];
      const result = await commit({ guards, writes: [], events: [event] });
      if (result.kind === "committed") {
        const [appended] = result.appended;
        if (appended === undefined) throw new TypeError("an append has one result");
        return { kind: appended.kind, offset: appended.offset };
      }
      const existingEvent = await find(stream, id);
      return existingEvent === undefined
        ? { kind: "conflict", head: await head(stream) }
        : { kind: "duplicate", offset: existingEvent.offset };
    },
    follow(stream, after, signal) {
      let lastOffset = after;
      /**
       * Whether the store has no further events. From then on the append signal reports new
       * ones.
       */
      let isCaughtUp = false;
      const readNext = async (): Promise<readonly Stored[]> => {
        const cached = tail.readAfter(stream, lastOffset, MAX_BATCH_EVENTS);
        if (cached.length > 0 || (isCaughtUp && tail.newest(stream) === lastOffset)) return cached;
        const batch = await readBatch(stream, lastOffset);
        isCaughtUp ||= batch.length === 0;
        return batch;
      };
      return appendSignal.follow(stream, signal, async () => {
        for (let failures = 0; !signal.aborted; failures += 1) {
          try {
            const batch = await readNext();
            lastOffset = batch.at(-1)?.offset ?? lastOffset;
            return batch;
          } catch (error) {
            if (isHearthError(error, "house.closing")) return "ended";
            // The follower waits for the store. If it ended here, it would miss later events.
            if (failures === 0) log?.write("warn", "cannot read a stream; will try again", { stream, error });
            await world.clock.sleep(RETRY_MS, signal);
          }
        }
        return "ended";
      });
    },
  };
};

const parse = ({ stream, id, offset, type }: Row<"events">, text: string): Stored => {
  try {
    return { ...readEvent(type, text), id, offset } as Stored;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new HearthError("store.damaged", `Event ${offset} of ${stream} is damaged: its body is not JSON.`, {
      hint: "List damaged data: hearth doctor --deep",
      cause,
    });
  }
};

/** Returns the appended events of these results, with their texts. */
const toAppendedEvents = (appended: readonly Appended[], texts: readonly string[]): readonly AppendedEvent[] =>
  appended.flatMap(({ kind, stream, offset, id }, index) => {
    const text = texts[index];
    if (kind !== "appended" || text === undefined) return [];
    return [{ stream: stream as StreamName, offset, id, text }];
  });

const labelsOf = (event: AnyEvent): Json<Label> | null =>
  event.type === "message" && event.label !== undefined ? writeJson(event.label) : null;

type DamagedRow = Pick<Row<"events">, "stream" | "offset" | "id" | "type" | "at">;

/**
 * Returns the placeholder. A message stays a message, so that a room shows its place. Its author is
 * lost with its body.
 */
const placeholderOf = ({ stream, offset, id, type, at }: DamagedRow): Stored => {
  const common = { id, offset, at };
  if (!stream.startsWith(ROOM_PREFIX)) return { ...common, type: "damaged", was: type };
  const room = stream.slice(ROOM_PREFIX.length) as RoomId;
  if (type !== "message") return { ...common, type: "damaged", was: type, room };
  return {
    ...common,
    type: "message",
    room,
    author: UNKNOWN_AGENT,
    body: { format: "markdown", text: DAMAGED_TEXT },
    mentions: [],
    causes: [],
    damaged: true,
  };
};

/** Logs each damaged event once. */
const createDamageReport = (log: Log | undefined): ((row: DamagedRow, error: unknown) => void) => {
  const reportedNames = new Set<string>();
  return ({ stream, offset, type }, error) => {
    const name = `${stream} ${offset}`;
    if (reportedNames.has(name)) return;
    if (reportedNames.size >= MAX_REPORTED_EVENTS) reportedNames.clear();
    reportedNames.add(name);
    log?.write("error", "an event is damaged; readers get a placeholder", { stream, offset, type, error });
  };
};

const ROOM_PREFIX = "room:";
const MAX_REPORTED_EVENTS = 1000;
