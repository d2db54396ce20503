/** Everything under `/v1/stream`, put together. It is read when it is first asked for: no start waits for it. */
import { reportRoutes } from "./durable-reports.ts";
import { durableStreamRoutes } from "./durable-streams.ts";
import { subscriptionRoutes } from "./durable-subscriptions.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

export { isOpenControl, preflightAnswer } from "./durable-reports.ts";

/** `open` answers without a key. */
export const durableRoutes = (app: App, open: App, options: DurableOptions): void => {
  // In this order: a path of theirs may be any other.
  subscriptionRoutes(app, options);
  durableStreamRoutes(app, options);
  reportRoutes(open, options);
};
