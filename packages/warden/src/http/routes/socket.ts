/**
 * The socket's entry in the table of routes. The adapter upgrades the connection and calls
 * `connect`.
 */
import { createRoute } from "@hono/zod-openapi";
import { HearthError } from "@hearth/protocol";
import { type App, operation, type RouteOptions } from "./route.ts";

export const socketRoutes = (app: App, options: RouteOptions): void => {
  app.openapi(
    createRoute({
      method: "get",
      path: "/ws",
      ...operation(options, {
        id: "socket",
        tag: "Streams",
        needs: "credential",
        summary: "One WebSocket for everything",
        description:
          "Requests with ids: `subscribe`, `unsubscribe`, `post`, `stop`, `ping`. Subscriptions resume by offset.",
        answers: { status: 101, text: "The socket is open." },
      }),
    }),
    () => {
      throw new HearthError("request.invalid", "/ws is a WebSocket.", { hint: "Connect with a WebSocket client." });
    },
  );
};
