/** Permissions that operations require. The warden checks them, and the documentation shows them. */
import type { StreamKind } from "../base/ids.ts";
import type { Level, Right } from "../people/permission.ts";

/** Where the level applies. A name in braces is a parameter of the path. */
export type Target =
  /** The first house: its administrators manage providers, channels and the daemon. */
  | "home"
  /** The house named in the body, else the caller's own. */
  | "house in body"
  | "own house"
  | `house {${string}}`
  | `room {${string}}`
  /** The house of the agent. */
  | `agent {${string}}`
  /** The house of the bot in the body's `agentName`. */
  | "agent in body"
  /** The room of the activation. The agent of the activation needs no level. */
  | `activation {${string}}`;

/**
 * `nothing`: anyone who reaches the port. `credential`: any caller; the answer holds what they see.
 * `sight of`: the caller may know that the record exists. Otherwise a level. `or self`: an agent may do so about
 * itself. `or` with a right: a person with this right on the house may do so without the level.
 */
export type Needs =
  | "nothing"
  | "credential"
  | `sight of ${"house" | "room" | "agent"} {${string}}`
  | `${Level} on ${Target}`
  | `${Level} on agent {${string}} or self`
  | `x on ${"home" | `house {${string}}`} or ${Right}`;

/** The needs of operations that show an agent's private state, and of those that change it. */
export const AGENT_READ = "x on agent {agent} or self" satisfies Needs;
export const AGENT_CHANGE = "x on agent {agent}" satisfies Needs;

/** Needs of streams, by kind. `{of}` is the owner in the stream's name. */
export const streamNeeds = {
  room: "r on room {of}",
  live: "r on room {of}",
  // The streams `agent` and `house` hide events that the caller may not see.
  agent: "x on agent {of} or self",
  house: "sight of house {of}",
  deltas: "r on activation {of}",
} as const satisfies Record<Exclude<StreamKind, "bytes">, Needs>;
