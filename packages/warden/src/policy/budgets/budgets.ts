/**
 * What agents may spend on models: reserved before a call, settled after it, and reported when it
 * runs out.
 */
import type { ActivationId, AgentRecord, BudgetReport } from "@hearth/protocol";
import type { Terms } from "../effect.ts";
import type { PayingTurn } from "./budget-limits.ts";
import type { Words } from "./budget-words.ts";

export interface CallForModel {
  readonly agent: AgentRecord;
  /** The turn of the call first. */
  readonly turns: readonly PayingTurn[];
  /** The models that may answer. */
  readonly models: readonly string[];
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export type Admission =
  /** The highest possible cost is reserved until it is settled. */
  | { readonly kind: "on"; readonly terms: Terms }
  /** `terms` apply if a person allows the call. */
  | ({ readonly kind: "ask"; readonly terms: Terms } & Words)
  | ({ readonly kind: "stop" } & Words)
  /** The signal has aborted. */
  | { readonly kind: "aborted" };

export interface Budgets {
  /**
   * Reserves the cost of a call if it fits every limit, at full or reduced answer length. Waits if
   * it would fit once running calls finish. The check and the reservation happen without
   * interruption, so spent and reserved together never exceed a limit without a person's approval.
   */
  admit(call: CallForModel): Promise<Admission>;
  /**
   * Why even the shortest call of this agent is impossible now, in a turn of that kind. Undefined
   * if one is possible.
   */
  refusal(agent: AgentRecord, what?: "turn" | "heartbeat"): Promise<string | undefined>;
  /** Reports the budgets of these agents, and of all together if `home` is "home". */
  report(agents: readonly AgentRecord[], home: "home" | "agents"): Promise<BudgetReport>;
  /** Called when an activation has ended. */
  over(activation: ActivationId): void;
}
