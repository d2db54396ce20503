/**
 * The outbox holds deliveries to channels. They are planned in the commit of what they deliver, and
 * sent after it, in the order of each conversation. Every row ends as `sent`, `refused` or
 * `unknown`. The outbox does not depend on agents and decides no recipients.
 */
import type { AgentId, Attachment, Delivery, DeliveryDecision, DeliveryState, EventId, RoomId } from "@hearth/protocol";
import type { Write } from "../store/store.ts";
import type { ReplyRoute, WhyRouteClosed } from "./reply-route.ts";

/** The fields of a room's message that a delivery needs. */
export interface Reply {
  readonly id: EventId;
  readonly room: RoomId;
  readonly body: { readonly text: string };
  /**
   * The files of the message. If a channel does not send a file, it sends a line of text instead.
   */
  readonly attachments?: readonly Attachment[];
  /** Name of the room where the reader finds a file that is too large for the channel. */
  readonly roomName?: string;
  /** Completes the text, after the lines for files. Default: the text is unchanged. */
  readonly complete?: (text: string) => string;
  /** The messages that the reply answers, in room order. */
  readonly causes: readonly EventId[];
  /** The text as it is read aloud, after the text and the files. Absent if no person hears it. */
  readonly speech?: {
    readonly text: string;
    /** Those of `causes` whose authors hear the reply. */
    readonly causes: readonly EventId[];
  };
  /** The route of the job to which the reply belongs. The reply is also sent there. */
  readonly route?: ReplyRoute;
}

/** A message of the house to a conversation. */
export interface Notice {
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly choices?: readonly Choice[];
  /** The parts that identify the notice: equal parts make the same notice. */
  readonly idParts: readonly string[];
}

/** The end of a notice's choices, because a person has decided or they are void. */
export interface EndedNotice extends Pick<Notice, "channel" | "conversation" | "idParts"> {
  /** The text that replaces the choices. */
  readonly text: string;
}

/**
 * Contract, checked by the outbox's model test:
 * - `plan`, and `notice` of `Notices`, write nothing: the caller adds their writes to the commit of
 *   what they deliver, and then calls `poke`
 * - planning the same delivery twice makes one row, and a row is sent only after the commit that
 *   made it
 * - a row is `sending` on disk before the channel is called; if the channel supports no idempotency
 *   keys, it is sent again only if the channel reports that nothing was sent, or a person decides
 *   so
 * - a file has its own row after the rows of the text. It refers to the upload, whose bytes are
 *   read when the row is sent; if the message was deleted or the bytes are damaged, the row is
 *   `refused`
 * - speech has its own row after the rows of text and files, only in conversations of its causes, and
 *   only if the channel sends files. Its audio is made before the row is `sending`. If there is no
 *   audio, the row is `refused` at once, because a later retry would delay the rows after it
 * - within a conversation rows are sent in room order, one at a time; conversations do not wait for
 *   each other
 * - a waiting row is retried with growing pauses for a day; then it is `refused`
 * - the text of an ended notice is erased, because it may contain a code
 * - ended choices are removed after the notice has arrived, with retries until the platform
 *   confirms; an unsent notice is sent without them, even if a person sends it again
 */
export interface Outbox {
  /**
   * Returns the rows for a message whose causes came in by channels, or that has an open route.
   * Empty for any other message.
   */
  plan(reply: Reply): Promise<readonly Write[]>;
  readonly whyRouteClosed: WhyRouteClosed;
  /** Signals that planned rows are durable. Never waits. */
  poke(): void;
  /**
   * Resumes unfinished deliveries, then sends until `signal` aborts. Resolves when no delivery is
   * in flight.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Returns deliveries, newest first. */
  list(query: {
    readonly channel: string;
    readonly state?: DeliveryState;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  counts(channel: string): Promise<{ readonly queued: number; readonly unknown: number }>;
  /** Returns when the last message was accepted or sent. Undefined for a channel without messages. */
  lastMessageAt(channel: string): Promise<number | undefined>;
  /**
   * Applies a person's decision about an `unknown` delivery. Throws `record.not-found`, and
   * `record.version` if the delivery is not unknown or no longer unknown.
   */
  decide(id: string, decision: DeliveryDecision, by: AgentId): Promise<Delivery>;
}

export interface Choice {
  readonly label: string;
  /** The reply that a press of the button sends. At most 64 bytes. */
  readonly word: string;
}
