/**
 * Decides whether a caller has recently proved who they are: by the run token or by a recent login.
 */
import type { Logins, Principal } from "../people/index.ts";
import { HearthError } from "@hearth/protocol";

export interface Proof {
  /**
   * Whether the principal has the run token of the local CLI, or a session whose person logged in
   * or confirmed it in the last 15 minutes, with a password, a passkey or a link of the daemon.
   */
  isFresh(principal: Pick<Principal, "via" | "session">): boolean;
  /** Throws `auth.code` unless the session began with a second factor, in the last 15 minutes. */
  requireSecondFactor(principal: Pick<Principal, "agent" | "via" | "session">, subject: string): Promise<void>;
  /** Throws `auth.stale` for an old session, and `auth.denied` for a key. */
  require(principal: Pick<Principal, "via" | "session">, subject: string, hint?: string): void;
}

export const createProof = (logins: Pick<Logins, "isProof" | "isConfirmed">): Proof => {
  const isFresh: Proof["isFresh"] = ({ via, session }) =>
    via === "run-token" || (session !== undefined && logins.isProof(session));
  return {
    isFresh,
    async requireSecondFactor({ agent, via, session }, subject) {
      // The run token is a file of the home, as the seeds are.
      if (via === "run-token") return;
      if (session !== undefined && (await logins.isConfirmed(agent, session))) return;
      throw new HearthError("auth.code", `${subject} needs a login with a code in the last 15 minutes.`, {
        hint: "Log out, log in again with a code, and repeat this.",
      });
    },
    require(principal, subject, hint) {
      if (isFresh(principal)) return;
      const [code, fix] = principal.session === undefined ? (["auth.denied", KEY_HINT] as const) : STALE;
      throw new HearthError(code, `${subject} needs a fresh login. A key or an older login is not enough.`, {
        hint: hint ?? fix,
      });
    },
  };
};

const STALE = ["auth.stale", "Try again, and confirm that it is you."] as const;
const KEY_HINT = "Make this change in a browser. Or run hearth without HEARTH_KEY on the machine of the house.";
