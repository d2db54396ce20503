/**
 * Assembles the routes under `/v1/stream`. Loaded with the first request, so that a start does not
 * wait for it.
 */
import { reportRoutes } from "./durable-reports.ts";
import { durableStreamRoutes } from "./durable-streams.ts";
import { subscriptionRoutes } from "./durable-subscriptions.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

export { isOpenControl, preflightAnswer } from "./durable-reports.ts";

/** Adds the routes. Those of `openApp` answer without a key. */
export const durableRoutes = (app: App, openApp: App, options: DurableOptions): void => {
  // In this order: the paths of streams also match those of subscriptions.
  subscriptionRoutes(app, options);
  durableStreamRoutes(app, options);
  reportRoutes(openApp, options);
};
