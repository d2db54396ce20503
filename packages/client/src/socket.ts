/**
 * One WebSocket to a house for everything that a screen follows: any number of streams, each resumed by its own offset
 * across cuts, restarts of the daemon and a machine that slept. A browser allows few connections; this takes one.
 */
import type { Clock, HearthError, StoredEvent, StreamName } from "@hearth/protocol";
import type { Following, StreamItem } from "./follow.ts";
import type { Schema } from "./request.ts";

/** What is used of a platform's WebSocket. */
export interface SocketWire {
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  readonly open: () => void;
  readonly message: (text: string) => void;
  /** Once, also when it never opened. `code` as in RFC 6455. */
  readonly closed: (code: number, reason: string) => void;
}

export interface SocketOptions {
  /** Begins to open a connection. Never throws, and calls back only after it has returned. */
  readonly connect: (events: SocketEvents) => SocketWire;
  readonly clock: Clock;
  /** At least 0, below 1: keeps many readers of one house from coming back in the same instant. */
  readonly random: () => number;
}

/** How it stands with the connection. */
export type SocketState =
  /** It is being opened, or nobody follows anything yet: the first follower opens it. */
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** It is gone, and will be tried again at `retryAt` (UTC milliseconds). */
  | { readonly kind: "lost"; readonly retryAt: number }
  /** The house does not take the credential any more: log in again. It does not try further until nudged. */
  | { readonly kind: "refused"; readonly error: HearthError }
  | { readonly kind: "closed" };

/**
 * Contract, beyond that of `follow`, checked in socket.test.ts and socket-connection.test.ts:
 * - two followers of one stream share one subscription on the wire only if that loses nothing: each gets every event after its own offset once
 * - `lost` is said to every follower once per outage, `open` when its stream is subscribed again
 * - an event of a type that this client does not know is passed over
 * - events that the house sends again are passed over
 * - it follows 100 streams at once, which is what a house holds for one socket; a follower of one more is `failed`
 */
export interface Socket extends Disposable {
  state(): SocketState;
  /** Calls back on each change of state. Returns what ends that. */
  onState(listener: () => void): () => void;
  /** Tries at once instead of at `retryAt`; on an open connection, asks for a sign of life within a short time. For a network that came back and a tab that woke. */
  nudge(): void;
  follow<Event extends StoredEvent>(
    stream: StreamName,
    schema: Schema<Event>,
    following: Following,
  ): AsyncIterable<StreamItem<Event>>;
}
