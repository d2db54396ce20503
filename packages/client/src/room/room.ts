/** One room as a person sees it: what was said, what is on its way there, and what agents are doing about it. */
import type {
  ActivationId,
  ActivationPart,
  ActivationState,
  AgentId,
  ErrorBody,
  EventId,
  HearthError,
  Label,
} from "@hearth/protocol";

/** A message as it stands: with its last edit, and with nothing in it once it is deleted. */
export interface RoomMessage {
  readonly id: EventId;
  readonly offset: number;
  readonly author: AgentId;
  readonly at: number;
  readonly text: string;
  readonly editedAt: number | undefined;
  readonly isDeleted: boolean;
  readonly replyTo: EventId | undefined;
  readonly causes: readonly EventId[];
  /** The activation that wrote it, and how many tools it called. */
  readonly activation: ActivationId | undefined;
  readonly toolCalls: number;
  /** What it was written from, where that was not the house's own. */
  readonly label: Label | undefined;
}

/** An activation that has not ended: what it has shown so far. */
export interface LiveActivation {
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** The message that woke it. */
  readonly cause: EventId;
  /** `waiting`: for a person's decision. */
  readonly state: "queued" | "running" | "waiting";
  /** When it began to wait or to run, UTC milliseconds. */
  readonly since: number;
  /** It failed for a reason that may pass: when it is tried again, UTC milliseconds. */
  readonly retryAt: number | undefined;
  readonly parts: readonly ActivationPart[];
  /** Somebody asked to stop it, and it has not ended yet. */
  readonly isStopping: boolean;
}

/** An activation that ended without a reply. */
export interface EndedActivation {
  readonly id: ActivationId;
  readonly agent: AgentId;
  readonly cause: EventId;
  readonly state: Exclude<ActivationState, "queued" | "running" | "waiting" | "replied">;
  readonly at: number;
  readonly reason: string | undefined;
  readonly error: ErrorBody | undefined;
}

/** A message that this device has not been told is kept by the house. */
export interface PendingMessage {
  /** Its idempotency key. */
  readonly key: string;
  readonly text: string;
  readonly replyTo: EventId | undefined;
  /** When it was written, UTC milliseconds. */
  readonly at: number;
  /** `waiting`: for a connection, or for the one before it. `refused`: the house will not have it; see `error`. */
  readonly state: "waiting" | "sending" | "refused";
  readonly error: HearthError | undefined;
}

export type RoomState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready" }
  /** Asking again would not help. */
  | { readonly kind: "failed"; readonly error: HearthError };

/** Immutable; a part that has not changed is the same object as before. */
export interface RoomSnapshot {
  readonly state: RoomState;
  /** Oldest first, without gaps. A deleted message stays, empty. */
  readonly messages: readonly RoomMessage[];
  /** Whether there are messages before the first one here. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** In the order in which they were queued. */
  readonly live: readonly LiveActivation[];
  /** Of the messages that are here, oldest first. */
  readonly ended: readonly EndedActivation[];
  readonly pending: readonly PendingMessage[];
  /** Whether what is shown is known to be current: false while the connection is lost. */
  readonly isCurrent: boolean;
}

/**
 * Contract, checked in room-reader.test.ts and those beside it:
 * - opens with the last page of the room and follows from there; nothing is shown twice and nothing is missed, whatever is cut
 * - a reply that arrives takes the place of the live activation that wrote it in one snapshot: never both, never neither
 * - a pending message and the stored one are never both shown: the stored one carries the pending one's key
 * - a room that is closed to who reads and open again about a second later goes on; one that stays closed has failed
 * - after a restart of the daemon live activations are found again, with what they show by then
 */
export interface RoomReader extends Disposable {
  snapshot(): RoomSnapshot;
  onChange(listener: () => void): () => void;
  /** Brings the page before the first message. Does nothing while one is on its way, or when there is none. Throws what the house says. */
  loadOlder(): Promise<void>;
  /** Queues a message on this device and sends it as soon as it can be; kept across reloads. */
  send(text: string, replyTo?: EventId): void;
  /** Sends a refused message again. */
  retry(key: string): void;
  /** Takes a message that is not being sent back from the queue. */
  discard(key: string): void;
  edit(message: EventId, text: string): Promise<void>;
  remove(message: EventId): Promise<void>;
  stop(activation: ActivationId): Promise<void>;
  /** Starts a new activation in place of one that failed. */
  retryActivation(activation: ActivationId): Promise<void>;
  /** What a past activation did. Asked for once. */
  partsOf(activation: ActivationId): Promise<readonly ActivationPart[]>;
}
