/** Lists, stops and retries the activations of bots. */
import type { JournaledStep } from "../../kernel/index.ts";
import type {
  Activation,
  ActivationId,
  ActivationPart,
  ActivationQuery,
  AgentId,
  EventId,
  RoomId,
} from "@hearth/protocol";

export interface Activations {
  /** Lists the activations, newest first. `rooms` restricts the list to these rooms. */
  list(
    query: ActivationQuery & { readonly agent?: AgentId; readonly rooms?: readonly RoomId[] },
  ): Promise<readonly Activation[]>;
  /** Returns the activation. Throws `activation.not-found`. */
  get(id: ActivationId): Promise<Activation>;
  /** Returns the activation's steps by index, and what it wrote and did so far. */
  detail(activation: Activation): Promise<{
    readonly steps: ReadonlyMap<number, JournaledStep>;
    readonly parts: readonly ActivationPart[];
  }>;
  /** Stops the activation. Resolves when it is over. Does nothing if it is already over. */
  stop(id: ActivationId): Promise<Activation>;
  /**
   * Creates a new activation for a failed one. Repeated calls return the same activation. Throws
   * `activation.not-retryable` unless the activation failed.
   */
  retry(id: ActivationId): Promise<Activation>;
  /**
   * Stops the activations that this message woke, because it was deleted. An activation that is
   * created later ends when it begins.
   */
  stopWoken(message: EventId): Promise<void>;
  /** Resolves when the activation is over, or with its present state when `signal` aborts. */
  wait(id: ActivationId, signal: AbortSignal): Promise<Activation>;
  counts(): { readonly queued: number; readonly running: number };
}
