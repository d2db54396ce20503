/** Passwords: their status, and setting one. Setting one ends all other sessions of its person. */
import { createOversight, requireWhole } from "../../people/lazy.ts";
import { passwordOperations } from "@hearth/protocol/operations";
import { createCurrentPassword } from "../current-password.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const passwordRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { passwords, permissions } = areas.people;
  const oversight = createOversight(permissions);
  const currentPassword = createCurrentPassword(areas.people);

  bind(app, options, passwordOperations, {
    show: async ({ principal, params }) => {
      const agent = await access.find(principal, "agent", params.agent);
      return {
        isSet: await passwords.has(agent.id),
        needsCurrent: await currentPassword.isNeeded(principal, agent.id),
      };
    },

    set: async ({ principal, caller, params, body }) => {
      requireWhole(principal);
      const agent = await access.find(principal, "agent", params.agent);
      const { password, current } = body;
      if (agent.id === principal.agent) await currentPassword.require(caller, current);
      else await oversight.requireAll(principal, agent);
      const count = await passwords.set(agent.id, password, principal.session);
      return { ended: count };
    },
  });
};
