/**
 * A house on hold after its home was restored or copied: what it would repeat, and the owner's
 * decision.
 */
import { restoreOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const restoreRoutes = (app: App, options: RouteOptions): void => {
  const { restore } = options.areas.turns;

  bind(app, options, restoreOperations, {
    state: async () => restore.state(),

    decide: async ({ principal, body }) => restore.decide(body.decision, principal.agent),
  });
};
