/** The brain's parts of an agent's prompt. */
import { promptOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const promptRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { prompt } = areas.reports;
  bind(app, options, promptOperations, {
    show: async ({ principal, params, query }) => {
      const agent = await access.findBot(principal, params.agent);
      const { room } = query;
      return prompt(agent, room === undefined ? undefined : await access.find(principal, "room", room));
    },
  });
};
