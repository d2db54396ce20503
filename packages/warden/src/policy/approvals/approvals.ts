/**
 * Approvals of agents' calls: the requests, the decisions, and the rules that follow from them. All
 * of them are stored, and no prompt contains them.
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
  readonly call: ApprovedCall;
  readonly asks: readonly Ask[];
  readonly display: string;
  /** The offered scopes, each with a text that says what it allows. `once` is always offered. */
  readonly offers: Approval["offers"];
  /** Canonical JSON of the fields to which the wider offers are limited. */
  readonly bound: string;
}

/** A decision by code in a chat conversation, and the person who wrote it. */
export interface CodeDecision {
  readonly code: string;
  readonly room: RoomId;
  readonly person: AgentId;
  readonly decision: "allow" | "deny";
  readonly reason?: string;
}

/**
 * Contract, checked by its tests:
 * - only a person can decide, who at that moment has `x` on the agent's house, or the right
 *   `approve` there and `r` in the room; never an agent
 * - the right `approve` allows single calls, and neither makes nor removes standing approvals
 * - a decision is final: a second one throws `approval.over`, and an expired approval counts as
 *   denied
 * - a decision, its event in the room, its rule and the resumed activation are one commit
 * - an approval is used once: `use` belongs to the commit that begins the call
 */
export interface Approvals {
  /** Returns the approval of this call at this step, or undefined. */
  find(activation: ActivationId, step: number, call: ApprovedCall): Promise<Row<"approvals"> | undefined>;
  /**
   * Returns the writes for the commit that parks the activation. Ends the activation's approvals
   * of other calls.
   */
  planRequest(request: NewApproval): Promise<EffectChange>;
  /** Returns the writes for the commit that begins the call. */
  use(row: Row<"approvals">): EffectChange;
  /**
   * Returns the writes for the commit that ends an activation without a reply. Ends its pending
   * approvals.
   */
  planClose(activation: ActivationId, reason: string): Promise<Required<EffectChange>>;
  /** Ends an expired approval. */
  expire(row: Row<"approvals">): Promise<void>;
  rulesFor(agent: AgentId, tool: string): Promise<readonly Row<"approval_rules">[]>;

  /** Returns the approvals that the principal may decide, newest first. */
  list(principal: Principal, query: ApprovalQuery): Promise<readonly Approval[]>;
  /** Returns one approval. Throws `approval.not-found`, `auth.denied`. */
  get(principal: Principal, id: ApprovalId): Promise<Approval>;
  /**
   * Decides an approval. The decision is durable when the promise resolves. Throws like `get`,
   * and `approval.over`, and `request.invalid` for a scope that was not offered.
   */
  decide(principal: Principal, id: ApprovalId, decision: DecideApproval): Promise<Approval>;
  /**
   * Decides by a code. Returns the decided approval, or undefined if this person has no such code
   * in this room. Throws `approval.over`.
   */
  decideByCode(decision: CodeDecision): Promise<Approval | undefined>;
  /**
   * Denies all pending approvals of an agent or of all agents after a STOP, and withdraws unused
   * ones.
   */
  denyAll(scope: HoldScope, by: AgentId): Promise<void>;
  rules(principal: Principal): Promise<readonly ApprovalRule[]>;
  /** Removes a rule. Throws `approval.not-found`, `auth.denied`. */
  removeRule(principal: Principal, id: ApprovalRuleId): Promise<void>;

  /**
   * Adds a listener, which is called with each activation that can resume. If it fails, the
   * activation resumes at the next start.
   */
  onDecided(listener: (activation: ActivationId) => Promise<void>): void;
  /** Ends expired approvals until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}
