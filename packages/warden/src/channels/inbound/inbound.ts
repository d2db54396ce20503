/** How what comes in from a channel becomes an event of a room, or is refused: once, in one commit, before the platform is acknowledged. */
import type { EventId, RefusalFate, RefusedInbound, RoomId } from "@hearth/protocol";
import type { Inbound as ChannelInbound, Webhook } from "../channel.ts";

export type Accepted =
  | { readonly kind: "accepted"; readonly room: RoomId; readonly event: EventId }
  /** It was here before; nothing was written but the cursor. */
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly fate: RefusalFate };

/**
 * Contract:
 * - an update is one commit: its row, its event, whoever is new, the cursor; a redelivered one changes nothing
 * - an edit changes the message that it names; one of a message that never came is taken as that message, and should the message itself
 *   come after it, it is passed over: its words are older
 * - the channel's admission is asked first: whoever it refuses is passed over
 * - a stranger who writes directly is told a code, once an hour; in a group strangers are passed over. No model sees their words. Where the
 *   admission lets in whom nobody paired, they are a person of the house from their first word on, who may do nothing but take part there
 */
export interface Inbound {
  /** Durable when it resolves. `cursor`: everything before it is acknowledged with this one. */
  accept(channel: string, inbound: ChannelInbound, cursor?: string): Promise<Accepted>;
  /** One delivery of a webhook: durable when it resolves. Throws `channel.unknown`, `channel.unverified`, `request.invalid`. */
  receive(channel: string, webhook: Webhook): Promise<void>;
  /** Reads every polled channel until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** What did not become an event, newest first. */
  refused(channel: string, limit: number): Promise<readonly RefusedInbound[]>;
}
