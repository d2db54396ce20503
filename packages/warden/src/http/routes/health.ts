/** Health checks for monitors: alive, ready. Open to all, so they reveal nothing else. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

const Health = z.object({ status: z.string() });

export const healthRoutes = (app: App, options: RouteOptions): void => {
  const tag = "Health";
  app.openapi(
    createRoute({
      method: "get",
      path: "/healthz",
      ...operation(options, {
        id: "health",
        tag,
        needs: "nothing",
        summary: "Returns whether the daemon is alive",
        answers: { status: 200, schema: Health },
      }),
    }),
    () => answer({ status: "ok" }),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/readyz",
      ...operation(options, {
        id: "readiness",
        tag,
        needs: "nothing",
        summary: "Returns whether the daemon takes work",
        description: "`degraded`: it takes work, but a background reader is failing. `hearth doctor` names it.",
        answers: { status: 200, schema: Health },
        otherwise: { status: 503, schema: Health, text: "Not ready." },
      }),
    }),
    async () =>
      !options.lifetimes.closed() && (await options.ready())
        ? answer({ status: options.readers().some(({ failures }) => failures > 0) ? "degraded" : "ready" })
        : answer({ status: options.restore.isHeld() ? "on hold" : "not ready" }, 503),
  );
};
