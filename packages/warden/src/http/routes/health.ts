/**
 * Health checks for monitors: alive, ready. They are open to every client, so they reveal nothing
 * else.
 */
import type { Health } from "@hearth/protocol";
import { healthOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** Returns only the names of the failing parts, because every client may read them. */
const describeReadiness = ({ areas: { kernel, tunnel } }: RouteOptions): Health => {
  const { state, route } = tunnel.info();
  const failing = [
    ...(kernel.supervisor.list().some(({ failures }) => failures > 0) ? (["readers"] as const) : []),
    ...(state === "waiting" || route?.isReached === false ? (["tunnel"] as const) : []),
  ];
  return failing.length === 0 ? { status: "ready" } : { status: "degraded", failing };
};

export const healthRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, healthOperations, {
    health: () => ({ status: "ok" }),

    readiness: async () =>
      !options.lifetimes.isClosed() && (await options.areas.daemon.ready())
        ? describeReadiness(options)
        : answer({ status: options.areas.turns.restore.isHeld() ? "on hold" : "not ready" }, 503),
  });
};
