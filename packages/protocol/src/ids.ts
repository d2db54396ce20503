/** Names of things: branded, prefixed, safe in a URL. Fresh ids sort by the time they were made. */
import { z } from "zod";

/** Crockford's base32, lower case: no i, l, o, u. */
const BODY = "[0-9a-hjkmnp-tv-z]{26}";

const id = <Name extends string>(prefix: string, name: Name) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${BODY}$`), `not a ${name}`)
    .brand<Name>();

/** Stands for an agent that nobody can name any more. No record has it. */
export const UNKNOWN_AGENT = `agent_${"0".repeat(26)}` as AgentId;

export const HouseId = id("house", "HouseId");
export const RoomId = id("room", "RoomId");
export const AgentId = id("agent", "AgentId");
/** Fresh, or derived from what caused it: the same cause always gives the same id. */
export const EventId = id("evt", "EventId");
/** Derived from the event that woke the agent and the agent. */
export const ActivationId = id("act", "ActivationId");
export const KeyId = id("key", "KeyId");
export const SessionId = id("ses", "SessionId");
/** Derived from what it delivers and where to. */
export const DeliveryId = id("out", "DeliveryId");
/** Derived from the step that sent it. */
export const InboxId = id("note", "InboxId");
export const ApprovalId = id("apr", "ApprovalId");
export const ApprovalRuleId = id("rule", "ApprovalRuleId");

/** One request of an agent to the network. */
export const EgressId = id("egr", "EgressId");
export const SecretGrantId = id("sgr", "SecretGrantId");

/** A stream that an agent made for itself. */
export const ByteStreamId = id("bytes", "ByteStreamId");

/** Where the webhook of a job is called. It is no secret: the key is. */
export const JobHookId = id("hook", "JobHookId");

/** What changed in a brain at once. */
export const ChangeId = id("chg", "ChangeId");
/** A change of a brain that a person is asked about. */
export const ProposalId = id("prop", "ProposalId");

export type HouseId = z.infer<typeof HouseId>;
export type RoomId = z.infer<typeof RoomId>;
export type AgentId = z.infer<typeof AgentId>;
export type EventId = z.infer<typeof EventId>;
export type ActivationId = z.infer<typeof ActivationId>;
export type KeyId = z.infer<typeof KeyId>;
export type SessionId = z.infer<typeof SessionId>;
export type DeliveryId = z.infer<typeof DeliveryId>;
export type InboxId = z.infer<typeof InboxId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type ApprovalRuleId = z.infer<typeof ApprovalRuleId>;
export type EgressId = z.infer<typeof EgressId>;
export type SecretGrantId = z.infer<typeof SecretGrantId>;
export type ByteStreamId = z.infer<typeof ByteStreamId>;
export type JobHookId = z.infer<typeof JobHookId>;
export type ChangeId = z.infer<typeof ChangeId>;
export type ProposalId = z.infer<typeof ProposalId>;
export type RecordId = HouseId | RoomId | AgentId;

export interface IdOfPrefix {
  readonly house: HouseId;
  readonly room: RoomId;
  readonly agent: AgentId;
  readonly evt: EventId;
  readonly act: ActivationId;
  readonly key: KeyId;
  readonly ses: SessionId;
  readonly out: DeliveryId;
  readonly note: InboxId;
  readonly apr: ApprovalId;
  readonly rule: ApprovalRuleId;
  readonly egr: EgressId;
  readonly sgr: SecretGrantId;
  readonly bytes: ByteStreamId;
  readonly hook: JobHookId;
  readonly chg: ChangeId;
  readonly prop: ProposalId;
}
export type IdPrefix = keyof IdOfPrefix;

/**
 * Names one stream. Durable: `room:…` (what a room's members said), `agent:…` (an agent's log), `house:…` (a house's log), `bytes:…` (what
 * an agent keeps in a stream of its own; read and written under `/v1/stream` alone).
 * In memory, gone with the daemon: `deltas:…` (an activation as it happens), `live:…` (which activations a room has right now).
 */
export type StreamName =
  | `room:${RoomId}`
  | `agent:${AgentId}`
  | `house:${HouseId}`
  | `bytes:${ByteStreamId}`
  | `deltas:${ActivationId}`
  | `live:${RoomId}`;

/** What stands before the colon. */
export type StreamKind = StreamName extends `${infer Kind}:${string}` ? Kind : never;
export type StreamOf<Kind extends StreamKind> = Extract<StreamName, `${Kind}:${string}`>;

/** Those that are read by name. */
export const StreamName = z
  .string()
  .regex(new RegExp(`^(room:room|agent:agent|house:house|deltas:act|live:room)_${BODY}$`), "not a stream name")
  .transform((name) => name as StreamName);
