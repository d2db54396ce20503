/**
 * A house on hold after its home was restored or copied: what it would repeat, and the owner's
 * decision.
 */
import { createRoute } from "@hono/zod-openapi";
import { DecideRestore, RestoreState } from "@hearth/protocol";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

export const restoreRoutes = (app: App, options: RouteOptions): void => {
  const { restore } = options;
  const tag = "House";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/restore",
      ...operation(options, {
        id: "readRestore",
        tag,
        needs: "x on home",
        summary: "Returns whether the house is on hold after a restore, and what it would repeat",
        answers: { status: 200, schema: RestoreState },
      }),
    }),
    async () => answer(await restore.state()),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/restore",
      ...jsonOperation(options, {
        id: "decideRestore",
        tag,
        needs: "x on home",
        summary: "Ends the hold of a restored house",
        description:
          "`continue` runs all queued work, including work that may have been done before. `discard` drops queued work.",
        answers: { status: 200, schema: RestoreState },
        errors: ["record.version"],
      }),
      request: { body: jsonBody(DecideRestore) },
    }),
    async (c) => answer(await restore.decide(c.req.valid("json").decision, c.env.principal.agent)),
  );
};
