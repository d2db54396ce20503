/** What people are asked about calls of agents, what they said, and what passes unasked because of it. Kept; nothing of it is in a prompt. */
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
import type { Along, Ask } from "../effect.ts";

/** A call that waits for a word. */
export interface NewApproval {
  readonly activation: Row<"activations">;
  readonly step: number;
  readonly what: ApprovedCall;
  readonly asks: readonly Ask[];
  readonly display: string;
  /** Each with what it lets pass, in words. `once` is always offered. */
  readonly offers: Approval["offers"];
  /** Canonical JSON of the fields that the wider offers hold to. */
  readonly bound: string;
}

/** In the conversation where a code was told, by who wrote there. */
export interface SpokenDecision {
  readonly code: string;
  readonly room: RoomId;
  readonly person: AgentId;
  readonly decision: "allow" | "deny";
  readonly reason?: string;
}

/**
 * Contract, checked by its tests:
 * - only a person who decides (`x`) in the agent's house decides, asked at that moment; never the agent, never another bot
 * - what is decided stays so: a second word is `approval.over`. What has run out is denied by that
 * - a decision, its word in the room, its rule and the activation that goes on are one commit
 * - what was allowed is used once: `use` is for the commit that begins the call
 */
export interface Approvals {
  /** What is known of this call of this step. */
  find(activation: ActivationId, step: number, what: ApprovedCall): Promise<Row<"approvals"> | undefined>;
  /** For the commit that makes the activation wait. Another call that it waited for, or was allowed, is off with it. */
  planAsk(asked: NewApproval): Promise<Along>;
  /** For the commit that begins the call. */
  use(row: Row<"approvals">): Along;
  /** For the commit that ends an activation which did not come to its reply: nothing is asked about it any more. */
  planClose(activation: ActivationId, reason: string): Promise<Required<Along>>;
  /** It ran out. */
  expire(row: Row<"approvals">): Promise<void>;
  rulesFor(agent: AgentId, tool: string): Promise<readonly Row<"approval_rules">[]>;

  /** Those that the principal may decide, newest first. */
  list(principal: Principal, query: ApprovalQuery): Promise<readonly Approval[]>;
  /** Throws `approval.not-found`, `auth.denied`. */
  get(principal: Principal, id: ApprovalId): Promise<Approval>;
  /** Durable when it resolves. Throws like `get`, `approval.over`, `request.invalid` for a scope that was not offered. */
  decide(principal: Principal, id: ApprovalId, decision: DecideApproval): Promise<Approval>;
  /** What was decided. Undefined: there is no such code for this person in this room. Throws `approval.over`. */
  decideSpoken(spoken: SpokenDecision): Promise<Approval | undefined>;
  /** Denies all that is asked for an agent, or for all, and takes back words that were not used yet: somebody said stop. */
  denyAll(scope: HoldScope, by: AgentId): Promise<void>;
  rules(principal: Principal): Promise<readonly ApprovalRule[]>;
  /** Throws `approval.not-found`, `auth.denied`. */
  removeRule(principal: Principal, id: ApprovalRuleId): Promise<void>;

  /** Called with each activation that may go on. One that cannot be told goes on after the next start. */
  onDecided(listener: (activation: ActivationId) => Promise<void>): void;
  /** Ends what runs out, until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}
