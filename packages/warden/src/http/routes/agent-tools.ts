/** The tools of an agent. */
import { agentToolOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const agentToolRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  bind(app, options, agentToolOperations, {
    list: async ({ principal, params }) => areas.reports.tools(await access.findBot(principal, params.agent)),
  });
};
