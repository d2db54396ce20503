/** Names of things: branded, prefixed, safe in a URL. Fresh ids sort by the time they were made. */
import { z } from "zod";

/** Crockford's base32, lower case: no i, l, o, u. */
const BODY = "[0-9a-hjkmnp-tv-z]{26}";

const id = <Name extends string>(prefix: string, name: Name) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${BODY}$`), `not a ${name}`)
    .brand<Name>();

export const HouseId = id("house", "HouseId");
export const RoomId = id("room", "RoomId");
export const AgentId = id("agent", "AgentId");
/** Fresh, or derived from what caused it: the same cause always gives the same id. */
export const EventId = id("evt", "EventId");
/** Derived from the event that woke the agent and the agent. */
export const ActivationId = id("act", "ActivationId");
export const KeyId = id("key", "KeyId");
export const SessionId = id("ses", "SessionId");

export type HouseId = z.infer<typeof HouseId>;
export type RoomId = z.infer<typeof RoomId>;
export type AgentId = z.infer<typeof AgentId>;
export type EventId = z.infer<typeof EventId>;
export type ActivationId = z.infer<typeof ActivationId>;
export type KeyId = z.infer<typeof KeyId>;
export type SessionId = z.infer<typeof SessionId>;
export type RecordId = HouseId | RoomId | AgentId;

export interface IdOfPrefix {
  readonly house: HouseId;
  readonly room: RoomId;
  readonly agent: AgentId;
  readonly evt: EventId;
  readonly act: ActivationId;
  readonly key: KeyId;
  readonly ses: SessionId;
}
export type IdPrefix = keyof IdOfPrefix;

/**
 * Names one stream. Durable: `room:…` (what a room's members said), `agent:…` (an agent's log), `house:…` (a house's log).
 * In memory, gone with the daemon: `deltas:…` (an activation as it happens), `live:…` (which activations a room has right now).
 */
export type StreamName =
  | `room:${RoomId}`
  | `agent:${AgentId}`
  | `house:${HouseId}`
  | `deltas:${ActivationId}`
  | `live:${RoomId}`;

export const StreamName = z
  .string()
  .regex(new RegExp(`^(room:room|agent:agent|house:house|deltas:act|live:room)_${BODY}$`), "not a stream name")
  .transform((name) => name as StreamName);
