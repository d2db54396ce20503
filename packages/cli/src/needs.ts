/** What it takes to run a command, in the words of its help. The house has the last word: see `/docs` there. */
import type { Level } from "@hearth/protocol";

/**
 * A level, and where it has to be held; see `hearth grant`. `the first house`: its admins look after providers, channels and the daemon.
 * `a credential`: whoever comes in; the answer holds what they see. `or to be it`: an agent may do so about itself.
 */
export type Needs =
  | "nothing but this machine"
  | "a credential"
  | "a credential; for somebody else x on their house"
  | `sight of ${"the house" | "the room" | "the agent"}`
  | `${Level} on ${"the first house" | "the house" | "the room" | "the house or room" | "the agent's house" | "the activation's room"}`
  | `${Level} on the agent's house, or to be it`;
