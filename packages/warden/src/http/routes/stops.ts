/** STOP and resume: one agent, or all of them. */
import type { Principal } from "../../people/index.ts";
import type { AgentId, Hold, HoldScope, Resumed } from "@hearth/protocol";
import { stopOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const stopRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { records } = areas.people;
  const { stops } = areas.turns;

  const findAgentId = async (principal: Principal, name: string): Promise<AgentId> =>
    (await access.find(principal, "agent", name)).id;
  const stop = (principal: Principal, scope: HoldScope): Promise<Hold> => stops.stop(scope, principal.agent);
  const resume = async (principal: Principal, scope: HoldScope): Promise<Resumed> => ({
    resumed: await stops.resume(scope, principal.agent),
  });

  bind(app, options, stopOperations, {
    list: async ({ principal }) => {
      const agents = await access.filterVisible(principal, await records.list("agent"));
      return stops.list().filter(({ scope }) => scope === "house" || agents.some(({ id }) => id === scope));
    },

    stop: async ({ principal, params }) => stop(principal, await findAgentId(principal, params.agent)),

    resume: async ({ principal, params }) => resume(principal, await findAgentId(principal, params.agent)),

    stopAll: async ({ principal }) => stop(principal, "house"),

    resumeAll: async ({ principal }) => resume(principal, "house"),
  });
};
