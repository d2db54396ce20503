/** A person's word about one call of an agent: what exactly would run, why somebody is asked, and what was said. */
import { z } from "zod";
import { ActivationId, AgentId, ApprovalId, ApprovalRuleId, HouseId, RoomId } from "./ids.ts";

/** Longest reason that a person gives, in UTF-16 code units. The model reads it. */
export const MAX_APPROVAL_REASON = 2000;

/**
 * `pending → allowed → used`, or `denied`, or `expired`: nobody answered in time, or what it was about came to nothing. Only `pending` can
 * be decided, and what was allowed is used for one call.
 */
export const ApprovalState = z.enum(["pending", "allowed", "denied", "expired", "used"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

/**
 * How far a yes reaches. `once`: this very call. `session`: also calls like it in this room until a new session begins. `rule`: also calls like
 * it from now on, until the rule is taken back. What "like it" means is shown with each.
 */
export const ApprovalScope = z.enum(["once", "session", "rule"]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

/** Exactly what will run. What does not have this hash is something else, and is asked about anew. */
export const ApprovedCall = z.object({
  kind: z.enum(["tool", "model"]),
  /** Of the tool; of a model, `provider/model`. */
  name: z.string(),
  /** Canonical JSON: keys in order, no spaces. */
  input: z.string(),
  /** SHA-256 of all three, as lower-case hex. */
  hash: z.string(),
});
export type ApprovedCall = z.infer<typeof ApprovedCall>;

/** Why a person is asked. */
export const ApprovalAsk = z.object({
  /** Who wants it: a stage of the choke point. */
  stage: z.string(),
  text: z.string(),
  /** Fields of the call that it is about. None: the call as a whole. */
  fields: z.array(z.string()),
});
export type ApprovalAsk = z.infer<typeof ApprovalAsk>;

/** A wider yes that a person may give, and all that it lets pass, in words. */
export const ApprovalOffer = z.object({ scope: ApprovalScope, text: z.string() });
export type ApprovalOffer = z.infer<typeof ApprovalOffer>;

export const Approval = z.object({
  id: ApprovalId,
  house: HouseId,
  agent: AgentId,
  activation: ActivationId,
  step: z.int(),
  room: RoomId,
  /** Who is asked: the person whose message woke the agent, if they decide in its house. Absent: whoever decides there. */
  person: AgentId.optional(),
  what: ApprovedCall,
  asks: z.array(ApprovalAsk),
  /** The call in text that no other call has, without a character that hides or moves anything. Secrets are left out by name. */
  display: z.string(),
  offers: z.array(ApprovalOffer),
  state: ApprovalState,
  /** How it was allowed. */
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
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type ApprovalQuery = z.infer<typeof ApprovalQuery>;

export const DecideApproval = z.strictObject({
  decision: z.enum(["allow", "deny"]),
  /** Of an `allow`. */
  scope: ApprovalScope.default("once"),
  reason: z
    .string()
    .max(MAX_APPROVAL_REASON)
    .refine((text) => text.isWellFormed(), "is not well-formed Unicode")
    .optional(),
});
export type DecideApproval = z.infer<typeof DecideApproval>;

/** Calls that pass unasked because a person said so. */
export const ApprovalRule = z.object({
  id: ApprovalRuleId,
  house: HouseId,
  agent: AgentId,
  tool: z.string(),
  /** Fields whose values have to be just these, as canonical JSON. */
  bound: z.string(),
  /** All that it lets pass, in words. */
  text: z.string(),
  /** Of this room, and of its session at that time alone. Absent: everywhere, until it is taken back. */
  room: RoomId.optional(),
  by: AgentId,
  at: z.int(),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;
export const ApprovalRuleList = z.array(ApprovalRule);
