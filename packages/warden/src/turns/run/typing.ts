/** Typing indicators in conversations of chat platforms, shown while an activation runs. */
import type { EventId } from "@hearth/protocol";

export interface Typing {
  /** Shows it until `signal` aborts, if the message came in by a channel. Never rejects. */
  show(message: EventId, signal: AbortSignal): Promise<void>;
}
