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

/** Somebody who has proved who they are. */
export interface Proved {
  readonly agent: AgentId;
  /** That the password is still that one: for what is written by this proof. */
  readonly guards: readonly Guard[];
}

export interface Passwords {
  /**
   * Whose password this is. Somebody unknown, a bot, a person without a password and a wrong one are all nobody, and take the same work.
   * Throws `auth.limited`.
   */
  check(attempt: Attempt): Promise<Proved | undefined>;
  has(agent: AgentId): Promise<boolean>;
  /**
   * Sets it in place of another one, and ends all sessions of the person but `keep`, at once or not at all. How many ended. Throws
   * `auth.password` for who is no person, `record.not-found` for who is not there.
   */
  set(agent: AgentId, password: string, keep?: SessionId): Promise<number>;
}
