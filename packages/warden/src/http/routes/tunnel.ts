/** The tunnel of the house: its state, and changes of it. */
import { actorOf } from "../../people/lazy.ts";
import { tunnelOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const tunnelRoutes = (app: App, options: RouteOptions): void => {
  const { tunnel } = options.areas;

  bind(app, options, tunnelOperations, {
    get: () => tunnel.info(),

    set: async ({ principal, body }) => {
      await (await tunnel.changes()).set(body, actorOf(principal));
      tunnel.tryNow();
      return tunnel.info();
    },

    remove: async ({ principal }) => (await tunnel.changes()).remove(actorOf(principal)),
  });
};
