/** Who writes from a channel, and which person of the house that is. A stranger is told a code; a person of the house lets them in by it. */
import type { AgentId, Pairing } from "@hearth/protocol";

export type SenderName =
  /** As the stranger was told, in any spelling. */
  { readonly code: string } | { readonly channel: string; readonly sender: string };

export interface Pairings {
  /** Everyone who ever wrote and was not forgotten, newest first. */
  list(): Promise<readonly Pairing[]>;
  /**
   * From here on they are heard, as the person `as` (an id or a handle), or as a new person of their name. Throws `auth.denied` unless `by`
   * is a person, `pairing.not-found` for a code that does not hold, and `channel.rate-limited` after five of those in a minute.
   */
  approve(who: SenderName, by: AgentId, as?: string): Promise<Pairing>;
  /** For a channel that needs no code: the person of the house that this sender is, or is from here on, with no level of their own. */
  letIn(channel: string, sender: { readonly id: string; readonly name: string }, by: AgentId): Promise<AgentId>;
  /** From here on they are not heard, and are told nothing. Throws `auth.denied`, `pairing.not-found`. */
  block(channel: string, sender: string, by: AgentId): Promise<Pairing>;
  /** They are strangers again. Throws `auth.denied`, `pairing.not-found`. */
  forget(channel: string, sender: string, by: AgentId): Promise<void>;
}
