/** Where events live: append-only, dense offsets from 1, deduplicated by event id, readable from any offset, followable. */
import type { AnyEvent, EventId, Stored, StreamKind, StreamName, StreamOf } from "@hearth/protocol";
import type { Commit, CommitResult } from "../store/store.ts";

/** An event on its way into a stream. */
export interface NewEvent {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly event: AnyEvent;
  /** Where its text came from, JSON. Absent: what a message says of itself. */
  readonly labels?: string | null;
}

/** What a writer must be ready for. None of these is an error. */
export type AppendResult =
  | { readonly kind: "appended"; readonly offset: number }
  | { readonly kind: "duplicate"; readonly offset: number }
  | { readonly kind: "conflict"; readonly head: number };

/**
 * Contract, checked by `streamsConformance`:
 * - offsets are dense and start at 1; appending a known id again is a `duplicate` with its first offset
 * - with `expected`, an append happens only while the head is still there, else `conflict`; a known id stays a `duplicate`
 * - `follow` yields every event after `after` once, in order, those that are there first, and goes on until `signal` aborts;
 *   it never throws, and it never yields an empty batch
 * - a follower that is slow holds no events in memory for itself: it reads on from where it was
 */
export interface Streams {
  append(event: NewEvent, options?: { readonly expected?: number }): Promise<AppendResult>;
  /** Up to `limit` events after `after`, oldest first. */
  read(stream: StreamName, after: number, limit: number): Promise<readonly Stored[]>;
  /** The offset of the last event, 0 when there is none. */
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
  /** A change of the store together with events, all or nothing. Followers are told; those of `ends` finish after what is there. */
  commit(
    change: Commit & { readonly events?: readonly NewEvent[]; readonly ends?: readonly StreamName[] },
  ): Promise<CommitResult>;
  /**
   * Names of streams of these kinds that grew, as batches of what grew since the last batch was taken. Starts with the call, not with
   * the first `next`; costs one name per stream however much it grew. Ends when `signal` aborts.
   */
  watch<Kind extends StreamKind>(
    kinds: readonly Kind[],
    signal: AbortSignal,
  ): AsyncIterable<ReadonlySet<StreamOf<Kind>>>;
  /** The last event of each of these streams that has one: where it stands and when it was. */
  heads(streams: readonly StreamName[]): Promise<ReadonlyMap<StreamName, StreamHead>>;
  /** The event with this id, if the stream has it. */
  find(stream: StreamName, id: EventId): Promise<Stored | undefined>;
}

/**
 * Streams in memory, for what may be missed: bounded in events and bytes per stream, oldest dropped first.
 * Reading from before what is left starts at what is left. A stream that nobody wrote to is empty.
 */
export interface MemoryStreams extends Streams {
  /** Appends without an id of the caller's. Never waits. */
  push(stream: StreamName, event: AnyEvent): void;
  /** Ends the stream: it takes no more, followers finish, its events go after a grace period and the name is free again. */
  close(stream: StreamName): void;
  /** Whether anything was ever pushed and not yet gone. */
  has(stream: StreamName): boolean;
}
