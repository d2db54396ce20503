/** One room as a person sees it: its messages, pending messages, and the work of agents. */
import type {
  ActivationId,
  ActivationPart,
  ActivationState,
  AgentId,
  Attachment,
  Citation,
  DeltaEvent,
  ErrorBody,
  EventId,
  HearthError,
  Label,
  ReactToMessage,
  Reaction,
  StoredMessage,
} from "@hearth/protocol";
import type { WaitingFile } from "../files/file-shelf.ts";

/** The current state of a message. It has the text of the last edit. A deleted message is empty. */
export interface RoomMessage {
  readonly id: EventId;
  readonly offset: number;
  readonly author: AgentId;
  readonly at: number;
  readonly text: string;
  /** The attachments. Empty if the message is deleted. */
  readonly attachments: readonly Attachment[];
  /** The links of the text that lead to parts of files. */
  readonly citations: readonly Citation[];
  /** The emoji on the message. Empty if the message is deleted. */
  readonly reactions: readonly Reaction[];
  readonly editedAt: number | undefined;
  readonly isDeleted: boolean;
  /** Whether the stored message is damaged. Its text then says so, and its author is unknown. */
  readonly isDamaged: boolean;
  readonly replyTo: EventId | undefined;
  readonly causes: readonly EventId[];
  /** The activation that wrote the message, and its number of tool calls. */
  readonly activation: ActivationId | undefined;
  readonly toolCalls: number;
  /** The people who hear this reply, by their own choice. */
  readonly spokenFor: readonly AgentId[];
  /** Whether a user stopped the activation while it wrote this message. The text is then incomplete. */
  readonly isStopped: boolean;
  /** The job that sent the prompt in its author's name. */
  readonly job: string | undefined;
  /** The message of which this one is a copy, in the chat that was branched. */
  readonly copied: StoredMessage["copied"];
  /** The provenance of the message. Undefined if it contains only data of the house. */
  readonly label: Label | undefined;
}

/** A model call that failed and will be retried. */
export type Retry = Pick<Extract<DeltaEvent, { type: "retry" }>, "error" | "retryAt" | "attempt" | "attempts">;

/** An activation that has not ended, with its output so far. */
export interface LiveActivation {
  readonly id: ActivationId;
  readonly agent: AgentId;
  /** The message that started it. */
  readonly cause: EventId;
  /** `waiting` means waiting for a person's decision. */
  readonly state: "queued" | "running" | "waiting";
  /** When the activation was queued or started, in UTC milliseconds. */
  readonly since: number;
  /** When an activation with a transient failure is retried, in UTC milliseconds. */
  readonly retryAt: number | undefined;
  readonly parts: readonly ActivationPart[];
  /** The planned retry of a model call. Undefined if no retry is planned. */
  readonly retry?: Retry | undefined;
  /** Whether a user has requested a stop and the activation has not ended yet. */
  readonly isStopping: boolean;
}

/** An activation that ended without a message in the room. */
export interface EndedActivation {
  readonly id: ActivationId;
  readonly agent: AgentId;
  readonly cause: EventId;
  readonly state: Exclude<ActivationState, "queued" | "running" | "waiting" | "replied">;
  readonly at: number;
  readonly reason: string | undefined;
  readonly error: ErrorBody | undefined;
}

/** A message that the house has not confirmed to this device. */
export interface PendingMessage {
  /** The idempotency key of the message. */
  readonly key: string;
  readonly text: string;
  readonly files: readonly WaitingFile[];
  readonly replyTo: EventId | undefined;
  /** When the message was written, in UTC milliseconds. */
  readonly at: number;
  /**
   * `waiting`: the message waits for a connection or for the message before it. `refused`: the
   * house rejected it, see `error`.
   */
  readonly state: "waiting" | "sending" | "refused";
  readonly error: HearthError | undefined;
}

export type RoomState =
  | { readonly kind: "loading" }
  | { readonly kind: "ready" }
  /** The room cannot be read. The error is permanent. */
  | { readonly kind: "failed"; readonly error: HearthError };

/** An immutable snapshot. An unchanged part is the same object as before. */
export interface RoomSnapshot {
  readonly state: RoomState;
  /** The loaded messages, oldest first and without gaps. A deleted message stays in the list, without text. */
  readonly messages: readonly RoomMessage[];
  /** Whether there are messages before the first one here. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** The activations that have not ended, in the order of the queue. */
  readonly live: readonly LiveActivation[];
  /** The ended activations of the loaded messages, oldest first. */
  readonly ended: readonly EndedActivation[];
  readonly pending: readonly PendingMessage[];
  /** Whether the snapshot is known to be current. It is not while the connection is lost. */
  readonly isCurrent: boolean;
}

/**
 * Contract, checked in room-reader.test.ts and those beside it:
 * - opens with the last page of the room and follows from there; no event is shown twice or missed,
 *   wherever the connection is lost
 * - a reply replaces the live activation that wrote it in one snapshot; no snapshot has both or neither
 * - a pending message and the stored one are never both shown: both carry the same key
 * - resumes a room that the reader loses and regains within about a second; fails if it stays
 *   closed
 * - after a restart of the daemon, live activations are found again with their output so far
 */
export interface RoomReader extends Disposable {
  snapshot(): RoomSnapshot;
  onChange(listener: () => void): () => void;
  /**
   * Loads the page before the first message. Does nothing while a page is loading, or if there is
   * no older page. Throws the house's error.
   */
  loadOlder(): Promise<void>;
  /**
   * Loads every page back to this offset. Does nothing if the offset is already loaded. Throws the
   * house's error.
   */
  loadThrough(offset: number): Promise<void>;
  /**
   * Queues a message on this device, and sends it as soon as possible. A reload of the page keeps
   * the queue.
   */
  send(text: string, options?: { readonly replyTo?: EventId; readonly files?: readonly WaitingFile[] }): void;
  /** Sends a refused message again. */
  retry(key: string): void;
  /** Removes a message from the queue unless it is being sent. */
  discard(key: string): void;
  edit(message: EventId, text: string): Promise<void>;
  remove(message: EventId): Promise<void>;
  /** Adds the user's emoji to the message, or removes it. */
  react(message: EventId, reaction: ReactToMessage): Promise<void>;
  stop(activation: ActivationId): Promise<void>;
  /** Starts a new activation in place of one that failed. */
  retryActivation(activation: ActivationId): Promise<void>;
  /** Returns the parts of a past activation. They are requested once. */
  partsOf(activation: ActivationId): Promise<readonly ActivationPart[]>;
}
