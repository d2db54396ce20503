/** Passwords: their status, and setting one. Setting one ends all other sessions of its person. */
import { createOversight, requireUnlimited } from "../../people/lazy.ts";
import { passwordOperations } from "@hearth/protocol/operations";
import { createCurrentPassword } from "../current-password.ts";
import type { Caller } from "../http.ts";
import { createProof } from "../proof.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const FRESH_LOGIN = "Log out, log in again with a passkey or by a new link (`hearth login`), and repeat this.";

export const passwordRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { identities, logins, passwords, permissions } = areas.people;
  const oversight = createOversight(permissions);
  const currentPassword = createCurrentPassword(areas.people);
  const proof = createProof(logins);

  const requireProof = async (caller: Caller, current: string | undefined): Promise<void> => {
    const { principal } = caller;
    await currentPassword.require(caller, current);
    // A login by a provider does not count as fresh. Otherwise the caller could set a password and log in with it.
    const isFirstPassword = !(await passwords.has(principal.agent));
    if (isFirstPassword && (await identities.list(principal.agent)).length > 0)
      proof.require(principal, "Setting a first password with a linked account", FRESH_LOGIN);
  };

  bind(app, options, passwordOperations, {
    show: async ({ principal, params }) => {
      const agent = await access.find(principal, "agent", params.agent);
      return {
        isSet: await passwords.has(agent.id),
        needsCurrent: await currentPassword.isNeeded(principal, agent.id),
      };
    },

    set: async ({ principal, caller, params, body }) => {
      requireUnlimited(principal);
      const agent = await access.find(principal, "agent", params.agent);
      const { password, current } = body;
      if (agent.id === principal.agent) await requireProof(caller, current);
      else await oversight.requireAll(principal, agent);
      const endedSessions = await passwords.set(agent.id, password, principal.session);
      return { ended: endedSessions };
    },
  });
};
