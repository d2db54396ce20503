/** Compactions of an agent's sessions: listing them with their summaries, and requesting one. */
import { compactionOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const compactionRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { sessions } = areas.agents.session;

  bind(app, options, compactionOperations, {
    list: async ({ principal, params, query }) => {
      const { id } = await access.findBot(principal, params.agent);
      const { room, limit } = query;
      const rooms =
        room === undefined ? await access.readableRooms(principal) : [(await access.find(principal, "room", room)).id];
      return sessions.list(id, rooms, limit);
    },

    compact: async ({ principal, params, body }) => {
      const agent = await access.findBot(principal, params.agent);
      const { room, keep } = body;
      const { id } = await access.find(principal, "room", room);
      return sessions.request(agent.id, id, keep);
    },
  });
};
