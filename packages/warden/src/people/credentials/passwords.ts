/** Passwords of people. Bots have keys and no password. */
import type { Guard } from "../../kernel/index.ts";
import type { AgentId, SessionId } from "@hearth/protocol";
import type { Peer } from "./login-attempts.ts";

export interface Attempt {
  /** A handle or an id. */
  readonly person: string;
  readonly password: string;
  readonly peer: Peer;
}

/** A person who has proved their identity. */
export interface Proved {
  readonly agent: AgentId;
  /** Guards that the password has not changed, for writes that depend on it. */
  readonly guards: readonly Guard[];
}

export interface Passwords {
  /**
   * Returns the person with this password, or undefined, with the same work for an unknown name, a
   * bot, a missing password and a wrong one. Throws `auth.limited`.
   */
  check(attempt: Attempt): Promise<Proved | undefined>;
  has(agent: AgentId): Promise<boolean>;
  /**
   * Sets a password and ends all sessions of the person except `keep`, in one commit. Returns the
   * number of ended sessions. Throws `auth.password` for a bot, `record.not-found` for an unknown
   * agent.
   */
  set(agent: AgentId, password: string, keep?: SessionId): Promise<number>;
}
