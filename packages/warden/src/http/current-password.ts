/** The current password of a caller who changes their own credentials. */
import type { Logins, Passwords, Principal } from "../people/index.ts";
import { type AgentId, HearthError } from "@hearth/protocol";
import type { Caller } from "./http.ts";

export interface CurrentPassword {
  /** Whether the caller must enter it: they have one, and no other proof of the last 15 minutes. */
  isNeeded(principal: Principal, agent: AgentId): Promise<boolean>;
  /** Throws `auth.password` unless it is right or not needed, and `auth.limited`. */
  require(caller: Caller, current: string | undefined): Promise<void>;
}

export const createCurrentPassword = ({
  logins,
  passwords,
}: {
  readonly logins: Pick<Logins, "isProof">;
  readonly passwords: Pick<Passwords, "check" | "has">;
}): CurrentPassword => {
  const hasOtherProof = ({ via, session }: Principal): boolean =>
    via === "run-token" || (session !== undefined && logins.isProof(session, { withoutPassword: true }));
  const isNeeded: CurrentPassword["isNeeded"] = async (principal, agent) =>
    agent === principal.agent && !hasOtherProof(principal) && (await passwords.has(agent));

  return {
    isNeeded,
    async require({ principal, peer }, current) {
      if (!(await isNeeded(principal, principal.agent))) return;
      const attempt = { person: principal.agent, password: current ?? "", peer };
      if (current !== undefined && (await passwords.check(attempt)) !== undefined) return;
      throw new HearthError(
        "auth.password",
        current === undefined ? "Enter your current password." : "The current password is wrong.",
        { hint: "If you do not know it, log in by a link: `hearth login` prints one." },
      );
    },
  };
};
