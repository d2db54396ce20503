/**
 * One WebSocket to a house for everything that a screen follows: any number of streams, each
 * resumed at its own offset across cuts, daemon restarts and suspended machines. Browsers limit
 * connections; this uses one.
 */
import type { Clock, HearthError, StoredEvent, StreamName } from "@hearth/protocol";
import type { Following, StreamItem } from "./follow.ts";
import type { Schema } from "./request.ts";

/** The part of a platform's WebSocket that is used. */
export interface SocketWire {
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  readonly open: () => void;
  readonly message: (text: string) => void;
  /** Called once, also if the connection never opened. `code` as in RFC 6455. */
  readonly closed: (code: number, reason: string) => void;
}

export interface SocketOptions {
  /** Starts to open a connection. Never throws, and calls back only after it has returned. */
  readonly connect: (events: SocketEvents) => SocketWire;
  readonly clock: Clock;
  /**
   * At least 0, below 1. Randomized pauses keep many readers from reconnecting in the same instant.
   */
  readonly random: () => number;
}

/** The state of the connection. */
export type SocketState =
  /** Opening, or not opened yet: the first follower opens it. */
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** The connection is lost; the next attempt is at `retryAt` (UTC milliseconds). */
  | { readonly kind: "lost"; readonly retryAt: number }
  /**
   * The house no longer accepts the credential: log in again. There are no retries until `nudge`.
   */
  | { readonly kind: "refused"; readonly error: HearthError }
  | { readonly kind: "closed" };

/**
 * Contract, beyond that of `follow`, checked in socket.test.ts and socket-connection.test.ts:
 * - two followers of one stream share one subscription on the wire only if no event is lost: each
 *   gets every event after its own offset once
 * - every follower gets `lost` once per outage, and `open` when its stream is subscribed again
 * - events of unknown types are skipped
 * - events that the house repeats are skipped
 * - follows up to 100 streams, the house's limit for one socket; a follower of one more gets
 *   `failed`
 */
export interface Socket extends Disposable {
  state(): SocketState;
  /** Calls back on each change of state. Returns a function that stops this. */
  onState(listener: () => void): () => void;
  /**
   * Tries at once instead of at `retryAt`; on an open connection, sends a probe with a short
   * timeout. Call it when the network is back or a tab becomes visible.
   */
  nudge(): void;
  follow<Event extends StoredEvent>(
    stream: StreamName,
    schema: Schema<Event>,
    following: Following,
  ): AsyncIterable<StreamItem<Event>>;
}
