/**
 * The socket's entry in the table of routes. The adapter upgrades the connection and calls
 * `connect`.
 */
import { HearthError } from "@hearth/protocol";
import { socketOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const socketRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, socketOperations, {
    open: () => {
      throw new HearthError("request.invalid", "/ws is a WebSocket.", { hint: "Connect with a WebSocket client." });
    },
  });
};
