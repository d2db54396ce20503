/**
 * The outbox: deliveries to channels, planned in the commit of what they deliver, and sent after it
 * in the order of each conversation. Every row ends as `sent`, `refused` or `unknown`. It knows no
 * agents and decides no recipients.
 */
import type { AgentId, Attachment, Delivery, DeliveryDecision, DeliveryState, EventId, RoomId } from "@hearth/protocol";
import type { Write } from "../store/store.ts";
import type { ReplyRoute, WhyRouteClosed } from "./reply-route.ts";

/** The fields of a room's message that a delivery needs. */
export interface Reply {
  readonly id: EventId;
  readonly room: RoomId;
  readonly body: { readonly text: string };
  /** Its files. A channel that does not send a file gets a line of text instead. */
  readonly attachments?: readonly Attachment[];
  /** Name of the room, where the reader finds a file that is too large for the channel. */
  readonly roomName?: string;
  /** Completes the text, after the lines for files. Default: unchanged. */
  readonly complete?: (text: string) => string;
  /** The messages that it answers, in room order. */
  readonly causes: readonly EventId[];
  /** The route of the job that it replies to; it is sent there as well. */
  readonly way?: ReplyRoute;
}

/** A message of the house to a conversation. */
export interface Notice {
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly choices?: readonly Choice[];
  /** Identifies the notice: the same parts make the same notice. */
  readonly because: readonly string[];
}

/** The end of a notice's choices, because they were decided or are void. */
export interface EndedNotice extends Pick<Notice, "channel" | "conversation" | "because"> {
  /** Replaces the choices. */
  readonly text: string;
}

/**
 * Contract, checked by the outbox's model test:
 * - `plan`, and `notice` of `Notices`, write nothing: their writes go into the commit of what they
 *   deliver, and `poke` follows that commit
 * - planning the same delivery twice makes one row, and a row is sent only after the commit that
 *   made it
 * - a row is `sending` on disk before the channel is called; if the channel supports no idempotency
 *   keys, it is sent again only if the channel reports that nothing was sent, or a person decides
 *   so
 * - a file has its own row after the rows of the text. It names the upload, whose bytes are
 *   read when it is sent; if the message was deleted or the bytes are damaged, the row is `refused`
 * - within a conversation rows are sent in room order, one at a time; conversations do not wait for
 *   each other
 * - a waiting row is retried with growing pauses for a day; then it is `refused`
 * - a notice's text is erased when it has ended, because it may contain a code
 * - ended choices are removed after the notice has arrived, with retries until the platform
 *   confirms; an unsent notice goes without them, also when a person sends it again
 */
export interface Outbox {
  /**
   * Rows for a message whose causes came in by channels, or that has an open route; empty for any
   * other.
   */
  plan(reply: Reply): Promise<readonly Write[]>;
  readonly whyRouteClosed: WhyRouteClosed;
  /** Signals that planned rows are durable. Never waits. */
  poke(): void;
  /**
   * Resumes unfinished deliveries, then sends until `signal` aborts. Resolves when nothing is in
   * flight.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Newest first. */
  list(query: {
    readonly channel: string;
    readonly state?: DeliveryState;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  counts(channel: string): Promise<{ readonly queued: number; readonly unknown: number }>;
  /**
   * Applies a person's decision about an `unknown` delivery. Throws `record.not-found`, or
   * `record.version` if it is not unknown (any longer).
   */
  decide(id: string, decision: DeliveryDecision, by: AgentId): Promise<Delivery>;
}

export interface Choice {
  readonly label: string;
  /** The reply that it sends. At most 64 bytes. */
  readonly word: string;
}
