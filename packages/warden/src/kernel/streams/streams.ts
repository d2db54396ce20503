/**
 * The interface of streams of events: append-only, with dense offsets from 1, deduplicated by event
 * id, readable from any offset, and followable.
 */
import type { Json } from "../store/json.ts";
import type { AnyEvent, EventId, Stored, StreamKind, StreamName, StreamOf, Label } from "@hearth/protocol";
import type { Commit, CommitResult } from "../store/store.ts";

/** An event to append. */
export interface NewEvent {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly event: AnyEvent;
  /** The label of the text, as JSON. Absent if it is derived from the message. */
  readonly labels?: Json<Label> | null;
}

/** The expected outcomes of an append. None of them is an error. */
export type AppendResult =
  | { readonly kind: "appended"; readonly offset: number }
  | { readonly kind: "duplicate"; readonly offset: number }
  | { readonly kind: "conflict"; readonly head: number };

/**
 * Contract, checked by `streamsConformance`:
 * - offsets are dense and start at 1; appending a known id again is a `duplicate` with its first
 *   offset
 * - with `expected`, an append succeeds only while the head is unchanged, otherwise `conflict`; a
 *   known id stays a `duplicate`
 * - `follow` yields every event after `after` once, in order, existing ones first, until `signal`
 *   aborts; it never throws, and it never yields an empty batch
 * - a slow follower holds no events in memory: it continues from its own position
 */
export interface Streams {
  append(event: NewEvent, options?: { readonly expected?: number }): Promise<AppendResult>;
  /** Returns up to `limit` events after `after`, oldest first. */
  read(stream: StreamName, after: number, limit: number): Promise<readonly Stored[]>;
  /** Returns the offset of the last event, or 0 for an empty stream. */
  head(stream: StreamName): Promise<number>;
  follow(stream: StreamName, after: number, signal: AbortSignal): AsyncIterable<readonly Stored[]>;
}

export interface StreamHead {
  readonly offset: number;
  /** UTC milliseconds. */
  readonly at: number;
}

/** Streams that outlive the daemon. */
export interface DurableStreams extends Streams {
  /**
   * Commits a change together with events, all or nothing, and wakes followers. Followers of
   * the streams `ends` finish after the existing events.
   */
  commit(
    change: Commit & { readonly events?: readonly NewEvent[]; readonly ends?: readonly StreamName[] },
  ): Promise<CommitResult>;
  /**
   * Yields the names of streams of these kinds that have grown, in batches. Begins with the call,
   * before the first `next`. A batch contains each name once. Ends when `signal` aborts.
   */
  watch<Kind extends StreamKind>(
    kinds: readonly Kind[],
    signal: AbortSignal,
  ): AsyncIterable<ReadonlySet<StreamOf<Kind>>>;
  /** Returns offset and time of the last event of each of these streams that has one. */
  heads(streams: readonly StreamName[]): Promise<ReadonlyMap<StreamName, StreamHead>>;
  /** Returns the event with this id, if the stream has it. */
  find(stream: StreamName, id: EventId): Promise<Stored | undefined>;
}

/**
 * Streams in memory, for events that may be missed. The events and bytes per stream are bounded,
 * and the oldest are dropped first. A read from a dropped offset starts at the first remaining
 * event. An unknown stream is empty.
 */
export interface MemoryStreams extends Streams {
  /** Appends with a new id. Never waits. */
  push(stream: StreamName, event: AnyEvent): void;
  /**
   * Ends the stream. It refuses new events, and its followers finish. After a grace period its
   * events are removed and the name is free.
   */
  close(stream: StreamName): void;
  /** Whether the stream has events. */
  has(stream: StreamName): boolean;
}
