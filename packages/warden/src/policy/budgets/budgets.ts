/** What agents may spend on models: held back before a call, settled after it, and told of when it runs out. */
import type { ActivationId, AgentRecord, BudgetReport } from "@hearth/protocol";
import type { Terms } from "../effect.ts";
import type { PayingTurn } from "./budget-limits.ts";
import type { Words } from "./budget-words.ts";

export interface CallForModel {
  readonly agent: AgentRecord;
  /** Its own first. */
  readonly turns: readonly PayingTurn[];
  /** Whoever may come to answer. */
  readonly models: readonly string[];
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export type Admission =
  /** What it takes at most is held back until it is settled. */
  | { readonly kind: "on"; readonly terms: Terms }
  /** `terms`: should a person let it. */
  | ({ readonly kind: "ask"; readonly terms: Terms } & Words)
  | ({ readonly kind: "stop" } & Words)
  /** Its signal has aborted. */
  | { readonly kind: "aborted" };

export interface Budgets {
  /**
   * Whether a call fits every limit that it has to, at its full length or a shorter one. Where it would fit but for calls that run, it waits for
   * them. Between the look and the holding back nothing else happens: what is spent and what is held back are never more than a limit,
   * but by a person's word.
   */
  admit(call: CallForModel): Promise<Admission>;
  /** Why not even the shortest call of this agent could be made at the moment, in a turn of that kind. */
  refusal(agent: AgentRecord, what?: "turn" | "heartbeat"): Promise<string | undefined>;
  /** Of these agents, and of all together where `home` says so. */
  report(agents: readonly AgentRecord[], home: "home" | "agents"): Promise<BudgetReport>;
  /** An activation is over. */
  over(activation: ActivationId): void;
}
