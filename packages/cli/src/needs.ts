/** The permissions that commands need, as shown in their help. The house enforces them. */
import type { Level, Right } from "@hearth/protocol";

/**
 * A level and the place where it is needed; see `hearth grant`. `the first house`: its
 * administrators manage providers, channels and the daemon. `a credential`: any caller; the answer
 * holds only what they may see. `or the agent itself`: an agent may do so for itself. `or
 * the right`: a person with this right may do so without the level.
 */
export type Needs =
  | "access to this machine"
  | "a credential"
  | "a credential; for another agent, x on its house"
  | `permission to see ${"the house" | "the room" | "the agent"}`
  | `${Level} on ${"the first house" | "the house" | "the room" | "the house or room" | "the agent's house" | "the activation's room"}`
  | `${Level} on the agent's house, or the agent itself`
  | `x on ${"the first house" | "the house"}, or the right ${Right}`
  | "x on the agent's house, or the right approve";
