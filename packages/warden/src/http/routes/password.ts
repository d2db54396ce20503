/** Passwords: their status, and setting one. Setting one ends all other sessions of its person. */
import { createOversight, requireWhole } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { type AgentRecord, HearthError } from "@hearth/protocol";
import { passwordOperations } from "@hearth/protocol/operations";
import type { Caller } from "../http.ts";
import { createProof } from "../proof.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const passwordRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { logins, passwords, permissions } = areas.people;
  const oversight = createOversight(permissions);
  const proof = createProof(logins);

  const needsCurrent = async (principal: Principal, agent: AgentRecord): Promise<boolean> =>
    agent.id === principal.agent && !proof.isFresh(principal) && (await passwords.has(agent.id));

  const requireCurrent = async ({ principal, peer }: Caller, current: string | undefined): Promise<void> => {
    const attempt = { person: principal.agent, password: current ?? "", peer };
    if (current !== undefined && (await passwords.check(attempt)) !== undefined) return;
    throw new HearthError(
      "auth.password",
      current === undefined ? "Enter your current password." : "The current password is wrong.",
      { hint: "If you do not know it, log in by a link: `hearth login` prints one." },
    );
  };

  bind(app, options, passwordOperations, {
    show: async ({ principal, params }) => {
      const agent = await access.find(principal, "agent", params.agent);
      return {
        isSet: await passwords.has(agent.id),
        needsCurrent: await needsCurrent(principal, agent),
      };
    },

    set: async ({ principal, caller, params, body }) => {
      requireWhole(principal);
      const agent = await access.find(principal, "agent", params.agent);
      const { password, current } = body;
      if (agent.id !== principal.agent) await oversight.requireAll(principal, agent);
      else if (await needsCurrent(principal, agent)) await requireCurrent(caller, current);
      const count = await passwords.set(agent.id, password, principal.session);
      return { ended: count };
    },
  });
};
