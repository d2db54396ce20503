/**
 * Browser logins: a one-time link or a password is exchanged for a session cookie. People can list
 * and end their sessions.
 */
import type { Change, Guard } from "../../kernel/index.ts";
import type { AgentId, SessionId } from "@hearth/protocol";
import type { Principal } from "../permissions/principal.ts";

export interface SessionRecord {
  readonly id: SessionId;
  readonly agent: AgentId;
  /** The browser's description of itself, truncated. */
  readonly about: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewSession extends SessionRecord {
  /** Returned only here. */
  readonly cookie: string;
}

export interface Logins {
  /**
   * Creates a code that works once, for 15 minutes, in memory only. `proves`: the code proves
   * identity, as the daemon's own terminal does, so its session can set a password without the old
   * one.
   */
  offer(agent: AgentId, options?: { readonly proves?: boolean }): { readonly code: string; readonly expiresAt: number };
  /** Exchanges the code for a session; `undefined` if it is wrong, used or expired. */
  redeem(code: string, about?: string): Promise<NewSession | undefined>;
  /**
   * Creates a session for an authenticated person. `undefined` if a guard fails or the agent is
   * gone.
   */
  begin(agent: AgentId, about: string, guards?: readonly Guard[]): Promise<NewSession | undefined>;
  /** Read again at each use. */
  authenticate(cookie: string): Promise<Principal | undefined>;
  /** Whether the session is from a proving code of the last 15 minutes. Lost with the daemon. */
  isProof(session: SessionId): boolean;
  /** Valid sessions, newest first. */
  list(agent: AgentId): Promise<readonly SessionRecord[]>;
  /** Ends a session of this agent. Returns whether it existed. */
  end(agent: AgentId, session: SessionId): Promise<boolean>;
  /**
   * Ends all of this agent's sessions at once except `keep`, drops its codes, and returns the
   * number of ended sessions. `along` is in the same commit.
   */
  endAll(agent: AgentId, options?: { readonly keep?: SessionId; readonly along?: Change }): Promise<number>;
}
