/** Browser logins: a one-time link becomes a session cookie. */
import type { AgentId } from "@hearth/protocol";
import type { Principal } from "./principal.ts";

export interface Logins {
  /** A code that works once, for 15 minutes, in memory only. */
  offer(agent: AgentId): { readonly code: string; readonly expiresAt: number };
  /** Takes the code and gives the cookie's value; `undefined` when it is wrong, used or old. */
  redeem(code: string): Promise<{ readonly cookie: string; readonly expiresAt: number } | undefined>;
  authenticate(cookie: string): Promise<Principal | undefined>;
  /** Ends one session. */
  end(cookie: string): Promise<void>;
}
