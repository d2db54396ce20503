/** Shared helpers of the routes under `/v1/stream/`. */
import type { HouseId } from "@hearth/protocol";
import type { Method, Operation } from "@hearth/protocol/operations";
import type { Context } from "hono";
import type { z } from "zod";
import type { Env } from "../env.ts";
import type { Durable } from "../http.ts";
import { type App, toRouteConfig, type RouteOptions } from "../routes/route.ts";

/** The options of routes, with the parts of durable streams loaded. */
export interface DurableOptions extends RouteOptions {
  readonly durable: Durable;
}

/** Returns the house in the path, or otherwise the caller's own. */
export const houseOf = async ({ access }: DurableOptions, c: Context<Env>): Promise<HouseId> => {
  const { principal } = c.env;
  const houseName = c.req.param("house");
  return houseName === undefined
    ? (await access.self(principal)).house
    : (await access.find(principal, "house", houseName)).id;
};

/** Adds a route whose last parameter spans segments, which documented routes do not support. */
export const addRoute = (
  app: App,
  options: DurableOptions,
  method: Method,
  path: Operation["path"],
  route: {
    readonly about: Omit<Operation, "tag" | "method" | "path" | "params">;
    readonly params: z.ZodObject;
    readonly handle: (c: Context<Env>) => Promise<Response>;
  },
): void => {
  const { middleware, ...routeConfig } = toRouteConfig(options, { tag: "Streams", method, path, ...route.about });
  app.openAPIRegistry.registerPath({ ...routeConfig, request: { params: route.params } });
  app.on(method, [toHonoPath(path)], ...middleware, (c) => route.handle(c));
};

/** Converts `{name}` to Hono's form. A final path parameter takes the rest. */
const toHonoPath = (path: string): string =>
  path.replace(/\{path\}$/, ":path{.+}").replace(/\{(\w+)\}(?=\/|$)/g, ":$1");
