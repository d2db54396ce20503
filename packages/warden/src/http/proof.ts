/** Decides whether a caller has just proved who they are: by the run token or by a fresh login. */
import type { Logins, Principal } from "../people/index.ts";
import { HearthError } from "@hearth/protocol";

export interface Proof {
  /**
   * The run token of the local CLI, or a session that a login link of the daemon began in the last
   * 15 minutes.
   */
  isFresh(principal: Pick<Principal, "via" | "session">): boolean;
  /** Throws `auth.denied` unless the caller's proof is fresh. */
  require(principal: Pick<Principal, "via" | "session">, what: string, hint: string): void;
}

export const createProof = (logins: Pick<Logins, "isProof">): Proof => {
  const isFresh: Proof["isFresh"] = ({ via, session }) =>
    via === "run-token" || (session !== undefined && logins.isProof(session));
  return {
    isFresh,
    require(principal, what, hint) {
      if (isFresh(principal)) return;
      throw new HearthError("auth.denied", `${what} needs a fresh login. A key or an older login is not enough.`, {
        hint,
      });
    },
  };
};
