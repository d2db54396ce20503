/**
 * What goes out to channels: planned in the commit of what it delivers, sent after it, in the order of each conversation. Every row ends
 * `sent`, `refused` or `unknown`. It knows no agent and decides nothing about who hears what.
 */
import type { AgentId, Delivery, DeliveryDecision, DeliveryState, EventId, RoomId } from "@hearth/protocol";
import type { Write } from "../store/store.ts";
import type { ReplyRoute, WhyRouteClosed } from "./reply-route.ts";

/** The part of a room's message that a delivery needs. */
export interface Reply {
  readonly id: EventId;
  readonly room: RoomId;
  readonly body: { readonly text: string };
  /** The messages that it answers, in the order of the room. */
  readonly causes: readonly EventId[];
  /** Where it was asked for earlier: it goes out there as well. */
  readonly way?: ReplyRoute;
}

/** A word of the house's own to a conversation. */
export interface Notice {
  readonly channel: string;
  readonly conversation: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly choices?: readonly Choice[];
  /** What it follows from: the same parts are the same notice. */
  readonly because: readonly string[];
}

/** That what a notice let its reader choose is decided, or not asked any more. */
export interface EndedNotice extends Pick<Notice, "channel" | "conversation" | "because"> {
  /** What stands in place of its choices. */
  readonly text: string;
}

/**
 * Contract, checked by the outbox's model test:
 * - `plan` and `notice` write nothing: their writes go into the commit of what they deliver, and `poke` follows that commit
 * - what was planned twice is one row, and a row is sent after the commit that made it and never before
 * - a row is `sending` on the disk before the channel is asked; where the channel takes no keys it is sent again only if the channel
 *   says that surely nothing was sent, or a person says so
 * - within a conversation rows go out in the order of the room, one after the other; conversations do not wait for each other
 * - a row that waits is tried again later and later, for a day; then it is `refused`
 * - a notice's text is erased when it is over: it may hold a code
 * - choices that are over are taken away after the notice has arrived, again until the platform says so; one that has not gone out
 *   goes without them, also when a person sends it again
 */
export interface Outbox {
  /** Rows for a message whose causes came in by channels, or that has an open way; none for any other. */
  plan(reply: Reply): Promise<readonly Write[]>;
  readonly whyRouteClosed: WhyRouteClosed;
  notice(notice: Notice): Promise<readonly Write[]>;
  /** None where there is no such notice, or it was never sent. */
  endChoices(ended: EndedNotice): Promise<readonly Write[]>;
  /** Something was planned and is durable now. Never waits. */
  poke(): void;
  /** Takes up what was left, then sends until `signal` aborts. Resolves when nothing is being sent any more. */
  run(signal: AbortSignal): Promise<void>;
  /** Newest first. */
  list(query: {
    readonly channel: string;
    readonly state?: DeliveryState;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  counts(channel: string): Promise<{ readonly queued: number; readonly unknown: number }>;
  /** A person's word about one that is `unknown`. Throws `record.not-found`, or `record.version` when it is not, or no longer, unknown. */
  decide(id: string, decision: DeliveryDecision, by: AgentId): Promise<Delivery>;
}

export interface Choice {
  readonly label: string;
  /** What comes back. At most 64 bytes. */
  readonly word: string;
}
