/**
 * Health checks for monitors: alive, ready. They are open to every client, so they reveal nothing
 * else.
 */
import { healthOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const healthRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, healthOperations, {
    health: () => ({ status: "ok" }),

    readiness: async () =>
      !options.lifetimes.isClosed() && (await options.areas.daemon.ready())
        ? { status: options.areas.kernel.supervisor.list().some(({ failures }) => failures > 0) ? "degraded" : "ready" }
        : answer({ status: options.areas.turns.restore.isHeld() ? "on hold" : "not ready" }, 503),
  });
};
