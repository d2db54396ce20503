/**
 * Approvals: a person's decision about one call of an agent, with the exact call and the reason for
 * asking.
 */
import { z } from "zod";
import { ActivationId, AgentId, ApprovalId, ApprovalRuleId, HouseId, RoomId } from "../base/ids.ts";

/** Maximum length of a person's reason, in UTF-16 code units. The model reads it. */
export const MAX_APPROVAL_REASON = 2000;

/**
 * `pending → allowed → used`, or `denied`, or `expired`: the time ran out, or the request became
 * void. Only a `pending` approval can be decided. An allowed one is used for one call.
 */
export const ApprovalState = z.enum(["pending", "allowed", "denied", "expired", "used"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

/**
 * The scope of an approval. `once`: this call only. `session`: also similar calls in this room until
 * a new session begins. `rule`: also similar calls from now on, until the rule is revoked. Each
 * offer describes what counts as similar.
 */
export const ApprovalScope = z.enum(["once", "session", "rule"]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

/** The exact call that will run. A call with another hash needs its own approval. */
export const ApprovedCall = z.object({
  kind: z.enum(["tool", "model"]),
  /** The tool's name, or `provider/model` for a model. */
  name: z.string(),
  /** Canonical JSON: keys in order, no spaces. */
  input: z.string(),
  /** SHA-256 of `kind`, `name` and `input`, as lower-case hex. */
  hash: z.string(),
});
export type ApprovedCall = z.infer<typeof ApprovedCall>;

/** One reason why an approval is needed. */
export const ApprovalAsk = z.object({
  /** The choke point stage that requires the approval. */
  stage: z.string(),
  text: z.string(),
  /** The fields of the call that need approval. Empty: the call as a whole. */
  fields: z.array(z.string()),
});
export type ApprovalAsk = z.infer<typeof ApprovalAsk>;

/** A wider scope that the person may choose, with a description of everything it allows. */
export const ApprovalOffer = z.object({ scope: ApprovalScope, text: z.string() });
export type ApprovalOffer = z.infer<typeof ApprovalOffer>;

export const Approval = z.object({
  id: ApprovalId,
  house: HouseId,
  agent: AgentId,
  activation: ActivationId,
  step: z.int(),
  room: RoomId,
  /**
   * The person who is asked: the one whose message woke the agent, if they may decide in its house.
   * Absent: every person who may decide there.
   */
  person: AgentId.optional(),
  what: ApprovedCall,
  asks: z.array(ApprovalAsk),
  /**
   * The call as unambiguous text, without characters that hide or reorder text. Secrets appear by
   * name only.
   */
  display: z.string(),
  offers: z.array(ApprovalOffer),
  state: ApprovalState,
  /** The scope with which it was allowed. */
  scope: ApprovalScope.optional(),
  /** Who decided, why, and when. */
  by: AgentId.optional(),
  reason: z.string().optional(),
  decidedAt: z.int().optional(),
  createdAt: z.int(),
  expiresAt: z.int(),
});
export type Approval = z.infer<typeof Approval>;
export const ApprovalList = z.array(Approval);

export const ApprovalQuery = z.object({
  state: ApprovalState.optional(),
  activation: ActivationId.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type ApprovalQuery = z.infer<typeof ApprovalQuery>;

export const DecideApproval = z.strictObject({
  decision: z.enum(["allow", "deny"]),
  /** The scope of an `allow`. */
  scope: ApprovalScope.default("once"),
  reason: z
    .string()
    .max(MAX_APPROVAL_REASON)
    .refine((text) => text.isWellFormed(), "is not well-formed Unicode")
    .optional(),
});
export type DecideApproval = z.infer<typeof DecideApproval>;

/** A standing approval: calls that match it run without asking. */
export const ApprovalRule = z.object({
  id: ApprovalRuleId,
  house: HouseId,
  agent: AgentId,
  tool: z.string(),
  /** Fields and the exact values they must have, as canonical JSON. */
  bound: z.string(),
  /** Description of everything that the rule allows. */
  text: z.string(),
  /**
   * The rule applies only to this room and its session at that time. Absent: to every room, until
   * it is revoked.
   */
  room: RoomId.optional(),
  by: AgentId,
  at: z.int(),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;
export const ApprovalRuleList = z.array(ApprovalRule);
