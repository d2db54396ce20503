/** Browser logins: a one-time link or a password becomes a session cookie. Whoever is logged in sees their sessions and ends them. */
import type { Change, Guard } from "../../kernel/index.ts";
import type { AgentId, SessionId } from "@hearth/protocol";
import type { Principal } from "../permissions/principal.ts";

export interface SessionRecord {
  readonly id: SessionId;
  readonly agent: AgentId;
  /** What the browser called itself, cut. */
  readonly about: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewSession extends SessionRecord {
  /** Shown here and never again. */
  readonly cookie: string;
}

export interface Logins {
  /**
   * A code that works once, for 15 minutes, in memory only. `proves`: whoever comes by it has shown that they are the agent, as the
   * daemon's own terminal does, and need no password to set another one.
   */
  offer(agent: AgentId, options?: { readonly proves?: boolean }): { readonly code: string; readonly expiresAt: number };
  /** Takes the code and begins a session; `undefined` when it is wrong, used or old. */
  redeem(code: string, about?: string): Promise<NewSession | undefined>;
  /** A session of somebody who has proved who they are. `undefined` when a guard does not hold, or the agent is gone. */
  begin(agent: AgentId, about: string, guards?: readonly Guard[]): Promise<NewSession | undefined>;
  /** Re-read on every use. */
  authenticate(cookie: string): Promise<Principal | undefined>;
  /** Whether it came of a code that proves, less than 15 minutes ago. A new daemon knows nothing of that. */
  isProof(session: SessionId): boolean;
  /** The ones that hold, newest first. */
  list(agent: AgentId): Promise<readonly SessionRecord[]>;
  /** Ends one of this agent's. Whether there was such a one. */
  end(agent: AgentId, session: SessionId): Promise<boolean>;
  /**
   * Ends all of this agent's at once but `keep`, takes its codes back, and gives how many ended. What is to change `along` with it becomes
   * durable in the same commit.
   */
  endAll(agent: AgentId, options?: { readonly keep?: SessionId; readonly along?: Change }): Promise<number>;
}
