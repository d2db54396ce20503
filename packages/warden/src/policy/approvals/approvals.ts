/**
 * Approvals of calls of agents: the requests, the decisions, and the rules that follow from them.
 * All are stored and none appear in a prompt.
 */
import type { Principal } from "../../people/index.ts";
import type { Row } from "../../kernel/index.ts";
import type {
  ActivationId,
  AgentId,
  Approval,
  ApprovalId,
  ApprovalQuery,
  ApprovalRule,
  ApprovalRuleId,
  ApprovedCall,
  DecideApproval,
  HoldScope,
  RoomId,
} from "@hearth/protocol";
import type { EffectChange, Ask } from "../effect.ts";

/** A call that waits for approval. */
export interface NewApproval {
  readonly activation: Row<"activations">;
  readonly step: number;
  readonly what: ApprovedCall;
  readonly asks: readonly Ask[];
  readonly display: string;
  /** Each offered scope with a text that says what it allows. `once` is always offered. */
  readonly offers: Approval["offers"];
  /** Canonical JSON of the fields that the wider offers are limited to. */
  readonly bound: string;
}

/** A decision by code in a chat conversation, and the person who wrote it. */
export interface SpokenDecision {
  readonly code: string;
  readonly room: RoomId;
  readonly person: AgentId;
  readonly decision: "allow" | "deny";
  readonly reason?: string;
}

/**
 * Contract, checked by its tests:
 * - only a person who decides (`x`) in the agent's house at that moment can decide; never the
 *   agent, never another bot
 * - a decision is final: a second one throws `approval.over`, and an expired approval is denied
 * - a decision, its event in the room, its rule and the resumed activation are one commit
 * - an approval is used once: `use` belongs to the commit that begins the call
 */
export interface Approvals {
  /** Returns the approval of this call at this step, if there is one. */
  find(activation: ActivationId, step: number, what: ApprovedCall): Promise<Row<"approvals"> | undefined>;
  /**
   * Writes for the commit that parks the activation. Ends the approvals of other calls of this
   * activation.
   */
  planAsk(asked: NewApproval): Promise<EffectChange>;
  /** Writes for the commit that begins the call. */
  use(row: Row<"approvals">): EffectChange;
  /** Writes for the commit that ends an activation without a reply. Ends its pending approvals. */
  planClose(activation: ActivationId, reason: string): Promise<Required<EffectChange>>;
  /** Ends an approval whose time is over. */
  expire(row: Row<"approvals">): Promise<void>;
  rulesFor(agent: AgentId, tool: string): Promise<readonly Row<"approval_rules">[]>;

  /** Approvals that the principal may decide, newest first. */
  list(principal: Principal, query: ApprovalQuery): Promise<readonly Approval[]>;
  /** Throws `approval.not-found`, `auth.denied`. */
  get(principal: Principal, id: ApprovalId): Promise<Approval>;
  /**
   * The decision is durable when this resolves. Throws like `get`, `approval.over`, and
   * `request.invalid` for a scope that was not offered.
   */
  decide(principal: Principal, id: ApprovalId, decision: DecideApproval): Promise<Approval>;
  /**
   * Returns the decided approval, or undefined if this person has no such code in this room. Throws
   * `approval.over`.
   */
  decideSpoken(spoken: SpokenDecision): Promise<Approval | undefined>;
  /**
   * Denies all pending approvals of an agent or of all agents, and withdraws unused ones, after a
   * STOP.
   */
  denyAll(scope: HoldScope, by: AgentId): Promise<void>;
  rules(principal: Principal): Promise<readonly ApprovalRule[]>;
  /** Throws `approval.not-found`, `auth.denied`. */
  removeRule(principal: Principal, id: ApprovalRuleId): Promise<void>;

  /**
   * Called with each activation that can resume. If the listener fails, the activation resumes at
   * the next start.
   */
  onDecided(listener: (activation: ActivationId) => Promise<void>): void;
  /** Ends expired approvals until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}
