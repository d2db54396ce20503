/** The port, put together: guards before routes, routes before the socket, and one form for whatever goes wrong. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { HearthError, isHearthError } from "@hearth/protocol";
import { HTTPException } from "hono/http-exception";
import { createAccess } from "./access.ts";
import { refusal } from "./answer.ts";
import type { OpenApiDocument } from "./docs/document.ts";
import { createGuard } from "./guard.ts";
import type { Caller, Http, HttpOptions } from "./http.ts";
import { createLifetimes } from "./lifetimes.ts";
import { activationRoutes } from "./routes/activations.ts";
import { chatRoutes } from "./routes/chat.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { houseRoutes } from "./routes/house.ts";
import { keyRoutes } from "./routes/keys.ts";
import { loginRoutes, logoutRoutes } from "./routes/login.ts";
import { messageRoutes } from "./routes/messages.ts";
import { providerRoutes } from "./routes/providers.ts";
import { recordRoutes } from "./routes/records.ts";
import type { Env, RouteOptions } from "./routes/route.ts";
import { socketRoutes } from "./routes/socket.ts";
import { streamRoutes } from "./routes/streams.ts";
import { createSession } from "./socket.ts";
import { createSource } from "./source.ts";

/** What answers without a credential. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/login"]);
const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const SOCKET_PATH = "/ws";

export const createHttp = (options: HttpOptions): Http => {
  const { log, world } = options;
  const guard = createGuard(options);
  const lifetimes = createLifetimes(world.clock);
  const routeOptions: RouteOptions = {
    ...options,
    access: createAccess(options),
    source: createSource(options),
    lifetimes,
  };

  /** Errors with a name are answers; the others are bugs, for the log. */
  const refuse = (error: unknown, request: Request): Response => {
    if (error instanceof HTTPException) return refusal(fromHono(error));
    if (!isHearthError(error)) {
      log.write("error", "a request broke", {
        method: request.method,
        path: pathOf(request.url)?.slice(0, MAX_LOGGED),
        error,
      });
    }
    return refusal(error);
  };

  const createApp = (): OpenAPIHono<Env> => {
    const app = new OpenAPIHono<Env>({
      defaultHook: (result) => {
        if (!result.success) throw invalid(result.target, result.error.issues);
      },
    });
    app.onError((error, c) => refuse(error, c.req.raw));
    app.notFound((c) => {
      const allowed = METHODS.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
      if (allowed.length > 0) {
        return refusal(
          new HearthError("request.method", `${c.req.method} is not for this path.`, {
            hint: `It takes ${allowed.join(", ")}.`,
          }),
          {
            allow: allowed.join(", "),
          },
        );
      }
      return refusal(
        new HearthError("request.not-found", "There is nothing at this path.", {
          hint: "See /docs for what there is.",
        }),
      );
    });
    return app;
  };

  const open = createApp();
  healthRoutes(open, routeOptions);
  loginRoutes(open, routeOptions);

  const app = createApp();
  for (const put of [
    recordRoutes,
    messageRoutes,
    streamRoutes,
    chatRoutes,
    activationRoutes,
    keyRoutes,
    providerRoutes,
    houseRoutes,
    socketRoutes,
    logoutRoutes,
  ]) {
    put(app, routeOptions);
  }

  let document: Promise<OpenApiDocument> | undefined;
  const build = async (): Promise<OpenApiDocument> => {
    const { createDocument } = await import("./docs/document.ts");
    return createDocument([...app.openAPIRegistry.definitions, ...open.openAPIRegistry.definitions]);
  };
  docsRoutes(app, routeOptions, () => (document ??= build()));

  const checkPath = (request: Request): string => {
    const path = pathOf(request.url);
    if (path === undefined) throw new HearthError("request.invalid", "The target of the request is not a path.");
    return path;
  };

  return {
    async handle(request) {
      try {
        guard.checkSource(request);
        if (OPEN_PATHS.has(checkPath(request))) return await open.fetch(request);
        const caller = await guard.identify(request);
        if (lifetimes.closed()) throw closing();
        return await app.fetch(request, caller);
      } catch (error) {
        return refuse(error, request);
      }
    },

    async admit(request) {
      try {
        guard.checkSource(request);
        const path = checkPath(request);
        const caller: Caller = await guard.identify(request);
        if (path !== SOCKET_PATH)
          throw new HearthError("request.not-found", "There is no socket at this path.", {
            hint: `It is ${SOCKET_PATH}.`,
          });
        if (lifetimes.closed()) throw closing();
        return { caller };
      } catch (error) {
        return { refusal: refuse(error, request) };
      }
    },

    connect: (caller, peer) => createSession(routeOptions, caller, peer),
    close: lifetimes.close,
  };
};

/** Longest path that a log line holds. */
const MAX_LOGGED = 200;

/** The decoded path of a well-formed target. */
const pathOf = (url: string): string | undefined => {
  const path = URL.parse(url)?.pathname;
  if (path === undefined || !path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};

const invalid = (
  place: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): HearthError => {
  const [issue] = issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return new HearthError(
    "request.invalid",
    `${PLACES[place] ?? place}${path === "" ? "" : ` "${path}"`}: ${issue?.message ?? "is wrong"}`,
    {
      hint: "See /docs for what it takes.",
    },
  );
};

const PLACES: { readonly [place: string]: string } = { json: "body", param: "path", query: "query" };

const fromHono = ({ status, message }: HTTPException): HearthError =>
  new HearthError(status === 415 ? "request.unsupported" : "request.invalid", message);

const closing = (): HearthError =>
  new HearthError("house.closing", "The house is closing.", { hint: "Try again when it is back." });
