/**
 * One WebSocket to a house for all streams that a screen follows, because browsers limit the number
 * of connections. Each stream resumes at its offset after a lost connection, a restart of the
 * daemon, and a suspension of the machine.
 */
import type { Clock, HearthError, StoredEvent, StreamName } from "@hearth/protocol";
import type { FollowRequest, StreamItem } from "./follow.ts";
import type { Schema } from "./request.ts";

/** The part of a platform's WebSocket that the socket uses. */
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
   * Returns a number from 0 up to, but not including, 1. It randomizes pauses, so that many readers
   * do not reconnect at the same time.
   */
  readonly random: () => number;
}

/** The state of the connection. */
export type SocketState =
  /** The connection is being opened, or waits for the first follower, which opens it. */
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** The connection is lost. The next attempt is at `retryAt`, in UTC milliseconds. */
  | { readonly kind: "lost"; readonly retryAt: number }
  /**
   * The house no longer accepts the credential, so the user must log in again. There are no retries
   * until `reconnectNow` is called.
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
  /** Calls the listener on each change of the state. Returns a function that removes the listener. */
  onState(listener: () => void): () => void;
  /**
   * Reconnects at once instead of at `retryAt`. Tests an open connection with a ping and a short
   * timeout. Call it when the network is back or a tab becomes visible.
   */
  reconnectNow(): void;
  follow<Event extends StoredEvent>(
    stream: StreamName,
    schema: Schema<Event>,
    request: FollowRequest,
  ): AsyncIterable<StreamItem<Event>>;
}
