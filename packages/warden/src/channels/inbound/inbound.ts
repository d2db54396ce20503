/**
 * Turns updates of channels into events of rooms, or refuses them: once, in one commit, before the
 * platform gets an acknowledgement.
 */
import type { EventId, RefusalFate, RefusedInbound, RoomId } from "@hearth/protocol";
import type { Inbound as ChannelInbound, Webhook } from "../channel.ts";

export type Accepted =
  | { readonly kind: "accepted"; readonly room: RoomId; readonly event: EventId }
  /** It was accepted before; only the cursor was written. */
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly fate: RefusalFate };

/**
 * Contract:
 * - an update is one commit: its row, its event, new persons, the cursor; a redelivered update
 *   changes nothing
 * - an edit changes the message that it names. An edit of a message that never came counts as that
 *   message; if the message itself comes later, it is ignored, because its text is older
 * - the channel's admission is checked first, and updates of refused senders are ignored
 * - a stranger who writes directly gets a pairing code, at most once an hour; in a group strangers
 *   are ignored. No model reads their messages. Where the admission also admits unpaired senders,
 *   they become persons of the house with their first message, who may only take part in that
 *   conversation
 */
export interface Inbound {
  /**
   * Durable when it resolves. `cursor` acknowledges everything before it together with this update.
   */
  accept(channel: string, inbound: ChannelInbound, cursor?: string): Promise<Accepted>;
  /**
   * Accepts one webhook delivery. Durable when it resolves. Throws `channel.unknown`,
   * `channel.unverified`, `request.invalid`.
   */
  receive(channel: string, webhook: Webhook): Promise<void>;
  /** Reads every polled channel until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Updates that did not become events, newest first. */
  refused(channel: string, limit: number): Promise<readonly RefusedInbound[]>;
}
