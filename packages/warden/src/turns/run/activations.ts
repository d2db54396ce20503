/** The wake-ups of bots: queued, run one at a time per agent and room, ended with a reason. */
import type { KnownStep } from "../../kernel/index.ts";
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
  /** Newest first. With `rooms`, those of these rooms alone. */
  list(
    query: ActivationQuery & { readonly agent?: AgentId; readonly rooms?: readonly RoomId[] },
  ): Promise<readonly Activation[]>;
  /** Throws `activation.not-found`. */
  get(id: ActivationId): Promise<Activation>;
  /** Its calls by index, and what it said and did so far. */
  detail(activation: Activation): Promise<{
    readonly steps: ReadonlyMap<number, KnownStep>;
    readonly parts: readonly ActivationPart[];
  }>;
  /** Ends it: nothing of it runs when this resolves. One that is over stays as it is. */
  stop(id: ActivationId): Promise<Activation>;
  /**
   * Starts a new activation in place of a failed one; the same one however often it is asked for. Throws `activation.not-retryable`
   * for one that did not fail.
   */
  retry(id: ActivationId): Promise<Activation>;
  /** Ends whatever this message woke, because the message was deleted. What it wakes after that ends as it begins. */
  stopWoken(message: EventId): Promise<void>;
  /** Resolves when it is over, or with its present state when `signal` aborts. */
  wait(id: ActivationId, signal: AbortSignal): Promise<Activation>;
  counts(): { readonly queued: number; readonly running: number };
}
