/** For whatever watches the daemon: alive, ready. Open to all, so they say that and nothing else. */
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
        summary: "Tells that the daemon lives",
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
        summary: "Tells whether the daemon takes work",
        answers: { status: 200, schema: Health },
        otherwise: { status: 503, schema: Health, text: "Not yet, or not any more." },
      }),
    }),
    async () =>
      !options.lifetimes.closed() && (await options.ready())
        ? answer({ status: "ready" })
        : answer({ status: options.restore.isHeld() ? "on hold" : "not ready" }, 503),
  );
};
