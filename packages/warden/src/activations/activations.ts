/** The wake-ups of bots: queued, run one at a time per agent and room, ended with a reason. */
import type { Activation, ActivationId, ActivationQuery, AgentId } from "@hearth/protocol";
import type { Row } from "../store/tables.ts";

export type StepRow = Row<"steps">;

export interface Activations {
  /** Newest first. */
  list(query: ActivationQuery & { readonly agent?: AgentId }): Promise<readonly Activation[]>;
  /** Throws `activation.not-found`. */
  get(id: ActivationId): Promise<Activation>;
  steps(id: ActivationId): Promise<readonly StepRow[]>;
  /** Ends it: nothing of it runs when this resolves. One that is over stays as it is. */
  stop(id: ActivationId): Promise<Activation>;
  /** Resolves when it is over, or with its present state when `signal` aborts. */
  wait(id: ActivationId, signal: AbortSignal): Promise<Activation>;
  counts(): { readonly queued: number; readonly running: number };
}
