/** Shows typing indicators in chat platform conversations while an activation runs. */
import type { EventId } from "@hearth/protocol";

export interface Typing {
  /**
   * Shows the indicator until `signal` aborts, if the message came from a channel. Never rejects.
   */
  show(message: EventId, signal: AbortSignal): Promise<void>;
}
