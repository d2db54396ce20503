/** Ids are branded, have a prefix, and are safe in URLs. Random ids sort by creation time. */
import { z } from "zod";

/** Crockford's base32, lower case: no i, l, o, u. */
const BODY = "[0-9a-hjkmnp-tv-z]{26}";

const id = <Name extends string>(prefix: string, name: Name) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${BODY}$`), `not a ${name}`)
    .brand<Name>();

/** Placeholder for an agent that can no longer be identified. No record has this id. */
export const UNKNOWN_AGENT = `agent_${"0".repeat(26)}` as AgentId;

export const HouseId = id("house", "HouseId");
export const RoomId = id("room", "RoomId");
export const AgentId = id("agent", "AgentId");
/** The id of an event is random, or derived from the event's cause. The same cause always gives the same id. */
export const EventId = id("evt", "EventId");
/** Derived from the agent and the event that woke it. */
export const ActivationId = id("act", "ActivationId");
export const KeyId = id("key", "KeyId");
export const SessionId = id("ses", "SessionId");
export const InviteId = id("inv", "InviteId");
/** Derived from the event and its destination. */
export const DeliveryId = id("out", "DeliveryId");
/** Derived from the step that sent it. */
export const InboxId = id("note", "InboxId");
export const ApprovalId = id("apr", "ApprovalId");
export const ApprovalRuleId = id("rule", "ApprovalRuleId");

/** One network request of an agent. */
export const EgressId = id("egr", "EgressId");
export const SecretGrantId = id("sgr", "SecretGrantId");

/** A byte stream that an agent created. */
export const ByteStreamId = id("bytes", "ByteStreamId");

/** A file that a person or program uploads. Messages name it as their attachment. */
export const UploadId = id("upl", "UploadId");

/** The address of a job's webhook. It is not a secret, but its key is. */
export const JobHookId = id("hook", "JobHookId");

/** Brain files that changed together. */
export const ChangeId = id("chg", "ChangeId");
/** A change to a brain that waits for a person's decision. */
export const ProposalId = id("prop", "ProposalId");

export type HouseId = z.infer<typeof HouseId>;
export type RoomId = z.infer<typeof RoomId>;
export type AgentId = z.infer<typeof AgentId>;
export type EventId = z.infer<typeof EventId>;
export type ActivationId = z.infer<typeof ActivationId>;
export type KeyId = z.infer<typeof KeyId>;
export type SessionId = z.infer<typeof SessionId>;
export type InviteId = z.infer<typeof InviteId>;
export type DeliveryId = z.infer<typeof DeliveryId>;
export type InboxId = z.infer<typeof InboxId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type ApprovalRuleId = z.infer<typeof ApprovalRuleId>;
export type EgressId = z.infer<typeof EgressId>;
export type SecretGrantId = z.infer<typeof SecretGrantId>;
export type ByteStreamId = z.infer<typeof ByteStreamId>;
export type UploadId = z.infer<typeof UploadId>;
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
  readonly inv: InviteId;
  readonly out: DeliveryId;
  readonly note: InboxId;
  readonly apr: ApprovalId;
  readonly rule: ApprovalRuleId;
  readonly egr: EgressId;
  readonly sgr: SecretGrantId;
  readonly bytes: ByteStreamId;
  readonly upl: UploadId;
  readonly hook: JobHookId;
  readonly chg: ChangeId;
  readonly prop: ProposalId;
}
export type IdPrefix = keyof IdOfPrefix;

/**
 * The kinds of streams, each with the id in its names.
 *
 * Durable: `room:…` (a room's messages), `agent:…` (an agent's log), `house:…` (a house's log),
 * `bytes:…` (a byte stream that an agent created, accessible only under `/v1/stream`).
 *
 * In memory, gone with the daemon: `deltas:…` (a running activation), `live:…` (a room's current
 * activations).
 */
interface IdOfStreamKind {
  readonly room: RoomId;
  readonly agent: AgentId;
  readonly house: HouseId;
  readonly bytes: ByteStreamId;
  readonly deltas: ActivationId;
  readonly live: RoomId;
}

/** The part of a stream's name before the colon. */
export type StreamKind = keyof IdOfStreamKind;
export type StreamName = { readonly [Kind in StreamKind]: `${Kind}:${IdOfStreamKind[Kind]}` }[StreamKind];
export type StreamOf<Kind extends StreamKind> = Extract<StreamName, `${Kind}:${string}`>;

export const isStreamOf = <Kind extends StreamKind>(name: StreamName, kind: Kind): name is StreamOf<Kind> =>
  name.startsWith(`${kind}:`);

type IdIn<Name extends StreamName> = {
  readonly [Kind in StreamKind]: Name extends `${Kind}:${string}` ? IdOfStreamKind[Kind] : never;
}[StreamKind];

/** Returns the part of a stream's name after the colon. */
export const idOfStream = <Name extends StreamName>(name: Name): IdIn<Name> =>
  name.slice(name.indexOf(":") + 1) as IdIn<Name>;

/** The streams that clients can read by name. */
export const StreamName = z
  .string()
  .regex(new RegExp(`^(room:room|agent:agent|house:house|deltas:act|live:room)_${BODY}$`), "not a stream name")
  .transform((name) => name as StreamName);
