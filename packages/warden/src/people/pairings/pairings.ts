/**
 * Pairings of channel senders with people. An unknown sender gets a code; a person of the house
 * approves it.
 */
import type { AgentId, Pairing } from "@hearth/protocol";

export type SenderName =
  /** The sender's code, in any spelling. */
  { readonly code: string } | { readonly channel: string; readonly sender: string };

export interface Pairings {
  /** All senders who were not forgotten, newest first. */
  list(): Promise<readonly Pairing[]>;
  /**
   * Admits a sender as the person `as` (an id or a handle), or as a new person of their name.
   * Throws `auth.denied` unless `by` is a person, `pairing.not-found` for an invalid code, and
   * `channel.rate-limited` after five of those in a minute.
   */
  approve(who: SenderName, by: AgentId, as?: string): Promise<Pairing>;
  /**
   * For a channel without codes: returns the sender's person, created without permissions if
   * necessary.
   */
  letIn(channel: string, sender: { readonly id: string; readonly name: string }, by: AgentId): Promise<AgentId>;
  /** Ignores the sender from here on, without notice. Throws `auth.denied`, `pairing.not-found`. */
  block(channel: string, sender: string, by: AgentId): Promise<Pairing>;
  /** Makes the sender unknown again. Throws `auth.denied`, `pairing.not-found`. */
  forget(channel: string, sender: string, by: AgentId): Promise<void>;
}
