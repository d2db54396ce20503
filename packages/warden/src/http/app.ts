/**
 * Assembles the HTTP app: guards run before routes, and routes before the socket. All errors have
 * one form. Routes that need a credential are loaded at their first request, because a start does
 * not use them.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { lazy, HearthError, isHearthError } from "@hearth/protocol";
import { HTTPException } from "hono/http-exception";
import { TrieRouter } from "hono/router/trie-router";
import type { z } from "zod";
import { actorOf } from "../people/lazy.ts";
import { createAccess } from "./access.ts";
import { errorAnswer, errorPageAnswer } from "./answer.ts";
import type { Arrival } from "./arrival.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { createGuard, HOOKS_PATH } from "./guard.ts";
import type { Caller, Http, HttpOptions } from "./http.ts";
import { createLifetimes } from "./lifetimes.ts";
import { STREAM_ROOT } from "./durable-streams/durable-path.ts";
import { healthRoutes } from "./routes/health.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { invitedRoutes } from "./routes/invites.ts";
import { loginRoutes } from "./routes/login.ts";
import { oidcLoginRoutes } from "./routes/oidc.ts";
import { passkeyLoginRoutes } from "./routes/passkeys.ts";
import type { Env } from "./env.ts";
import { createPublicBodyReader } from "./public-body-reader.ts";
import type { RouteOptions } from "./routes/route.ts";
import { uiRoutes } from "./routes/ui.ts";
import { isHttps } from "./session-cookie.ts";
import { createSession } from "./socket/session.ts";
import { createSource } from "./source.ts";
import { createEventTexts } from "./event-texts.ts";
import { UI_PATH } from "./ui-files.ts";

/** Paths open without a credential. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  "/",
  "/favicon.ico",
  "/healthz",
  "/invite",
  "/invite/preview",
  "/login",
  "/login/passkey",
  "/readyz",
  "/ui",
]);
/** Matches the paths of logins that need no credential. The test of a provider needs one. */
const OPEN_OIDC = /^\/api\/login\/oidc(?:\/[^/]+(?:\/callback)?)?$/;
const isOpen = (path: string): boolean =>
  OPEN_PATHS.has(path) || OPEN_OIDC.test(path) || path.startsWith(UI_PATH) || path.startsWith(HOOKS_PATH);
/**
 * Requests that a house on hold still accepts: reads, logins, revocations, stops, and the restore
 * decision.
 */
const ALLOWED_ON_HOLD =
  /^(?:\/login(?:\/passkey)?|\/logout|\/api\/(?:restore|stop|stop-all|login-links|(?:agents|activations)\/[^/]+\/stop|(?:sessions|keys)\/[^/]+))$/;
const isAllowedOnHold = (method: string, path: string): boolean =>
  ["GET", "HEAD", "OPTIONS"].includes(method) || ALLOWED_ON_HOLD.test(path);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const SOCKET_PATH = "/ws";

export const createHttp = (options: HttpOptions): Http => {
  const { kernel, people, turns, daemon } = options;
  const { log, world, streams, memory } = kernel;
  const guard = createGuard(options);
  const lifetimes = createLifetimes(world.clock);
  const access = createAccess({
    records: people.records,
    permissions: people.permissions,
    house: people.house,
    activations: turns.activations,
  });
  const routeOptions: RouteOptions = {
    areas: options,
    access,
    sourceFor: createSource({ streams, memory, activations: turns.activations, access, epoch: kernel.findings.epoch }),
    lifetimes,
    texts: createEventTexts(),
    publicBodyReader: createPublicBodyReader(world.clock),
  };

  /** Returns the response to an error. An error without a code is a bug and is logged. */
  const answerError = (error: unknown, request: Request): Response => {
    const knownError = error instanceof HTTPException ? fromHono(error) : error;
    if (!isHearthError(knownError)) {
      log.write("error", "a request broke", {
        method: request.method,
        path: pathOf(request.url)?.slice(0, MAX_LOGGED_LENGTH),
        error,
      });
    }
    return isPageView(request) ? errorPageAnswer(knownError, world.hash) : errorAnswer(knownError);
  };

  const createApp = (): OpenAPIHono<Env> => {
    const app = new OpenAPIHono<Env>({
      // The only router of Hono's that supports all our paths. Its automatic choice would try
      // another first at each start.
      router: new TrieRouter(),
      defaultHook: async (result) => {
        if (!result.success) throw await invalidRequestError(result.target, result.error.issues);
      },
    });
    app.onError((error, c) => answerError(error, c.req.raw));
    app.notFound((c) => {
      const allowedMethods = METHODS.filter((method) => app.router.match(method, c.req.path)[0].length > 0);
      if (allowedMethods.length > 0) {
        return errorAnswer(
          new HearthError("request.method", `${c.req.method} is not supported on this path.`, {
            hint: `Supported: ${allowedMethods.join(", ")}.`,
          }),
          {
            allow: allowedMethods.join(", "),
          },
        );
      }
      return errorAnswer(
        new HearthError("request.not-found", "There is nothing at this path.", {
          hint: "See /docs for the available paths.",
        }),
      );
    });
    return app;
  };

  const publicApp = createApp();
  healthRoutes(publicApp, routeOptions);
  loginRoutes(publicApp, routeOptions);
  passkeyLoginRoutes(publicApp, routeOptions);
  oidcLoginRoutes(publicApp, routeOptions);
  invitedRoutes(publicApp, routeOptions);
  uiRoutes(publicApp, routeOptions);
  hookRoutes(publicApp, routeOptions);

  const api = lazy(async () => {
    const { createApi } = await import("./api.ts");
    return createApi(createApp(), routeOptions, document);
  });
  const durable = lazy(async () => {
    const { durableRoutes, ...part } = await import("./durable-streams/durable.ts");
    const apps = { app: createApp(), open: createApp() };
    durableRoutes(apps.app, apps.open, { ...routeOptions, durable: await daemon.durable() });
    return { ...part, ...apps };
  });
  const document = lazy(async (): Promise<OpenApiDocument> => {
    const { createDocument } = await import("./docs/document.ts");
    const streams = await durable();
    const apps = [await api(), streams.app, publicApp, streams.open];
    return createDocument(apps.flatMap(({ openAPIRegistry }) => openAPIRegistry.definitions));
  });

  const checkPath = (request: Request): string => {
    const path = pathOf(request.url);
    if (path === undefined) throw new HearthError("request.invalid", "The target of the request is not a path.");
    return path;
  };

  type DurablePart = Awaited<ReturnType<typeof durable>>;

  const handleArrival = async (request: Request, arrival: Arrival, part?: DurablePart): Promise<Response> => {
    try {
      const path = checkPath(request);
      if (part?.isOpenControl(path) === true) return await part.open.fetch(request, arrival);
      if (!isAllowedOnHold(request.method, path)) turns.restore.requireNone();
      if (isOpen(path)) return await publicApp.fetch(request, arrival);
      const caller = await guard.identify(request, arrival);
      if (lifetimes.isClosed()) throw closingError();
      const app = part?.app ?? (await api());
      return await kernel.acting.run(actorOf(caller.principal), async () => app.fetch(request, caller));
    } catch (error) {
      return answerError(error, request);
    }
  };

  return {
    async handle(request, connection = {}) {
      try {
        const part = pathOf(request.url)?.startsWith(`${STREAM_ROOT}/`) === true ? await durable() : undefined;
        const preflight = part?.preflightAnswer(request);
        if (preflight !== undefined) return preflight;
        const arrival = guard.checkSource(request, connection);
        return withTransport(arrival, await handleArrival(request, arrival, part));
      } catch (error) {
        return answerError(error, request);
      }
    },

    async admit(request, connection = {}) {
      try {
        const arrival = guard.checkSource(request, connection);
        const path = checkPath(request);
        const caller: Caller = await guard.identify(request, arrival);
        if (path !== SOCKET_PATH)
          throw new HearthError("request.not-found", "There is no socket at this path.", {
            hint: `The socket is at ${SOCKET_PATH}.`,
          });
        if (lifetimes.isClosed()) throw closingError();
        return { caller };
      } catch (error) {
        return { refusal: answerError(error, request) };
      }
    },

    connect: (caller, peer) => createSession(routeOptions, caller, peer),
    close: lifetimes.close,
  };
};

/** Makes browsers that came by https use https only for this host. */
const withTransport = ({ origin }: Arrival, response: Response): Response => {
  if (isHttps(origin)) response.headers.set("strict-transport-security", `max-age=${TRANSPORT_SECONDS}`);
  return response;
};

/** Half a year. Each visit renews it. */
const TRANSPORT_SECONDS = 180 * 24 * 60 * 60;

/** Whether a person opens a page in a browser. Programs do not accept HTML. */
const isPageView = ({ url, headers }: Request): boolean =>
  PAGES.test(URL.parse(url)?.pathname ?? "") && (headers.get("accept") ?? "").includes("text/html");

const PAGES = /^\/(docs|login|logout|ui(\/.*)?|api\/login\/oidc\/[^/]+(\/callback)?)?$/;

/** Maximum length of a path in a log line. */
const MAX_LOGGED_LENGTH = 200;

/** Returns the decoded path of the target, or undefined if the target is malformed. */
const pathOf = (url: string): string | undefined => {
  const path = URL.parse(url)?.pathname;
  if (path === undefined || !path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};

const invalidRequestError = async (inputPart: string, issues: readonly z.core.$ZodIssue[]): Promise<HearthError> => {
  const { describeIssue } = await import("@hearth/protocol/issue-words");
  const [issue] = issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return new HearthError(
    "request.invalid",
    `${INPUT_NAMES[inputPart] ?? inputPart}${path === "" ? "" : ` "${path}"`}: ${issue === undefined ? "is wrong" : describeIssue(issue)}`,
    { hint: "See /docs for the accepted body." },
  );
};

const INPUT_NAMES: { readonly [inputPart: string]: string } = { json: "body", param: "path", query: "query" };

const fromHono = ({ status, message }: HTTPException): HearthError =>
  new HearthError(status === 415 ? "request.unsupported" : "request.invalid", message);

const closingError = (): HearthError =>
  new HearthError("house.closing", "The house is closing.", { hint: "Try again after it has restarted." });
