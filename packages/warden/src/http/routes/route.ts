/** Binds declared operations to their handlers: checks, typed input, responses, and OpenAPI. */
import type { Principal } from "../../people/index.ts";
import { requireNoExpiry, requireUnlimited } from "../../people/lazy.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { checkJson, type Clock, type ErrorCode, errorStatus, HearthError } from "@hearth/protocol";
import { ErrorAnswer } from "@hearth/protocol/api";
import type { Checked, Json, Operation, Operations, Success } from "@hearth/protocol/operations";
import type { Context, MiddlewareHandler } from "hono";
import { z } from "zod";
import type { Access } from "../access.ts";
import { answer, emptyAnswer } from "../answer.ts";
import { readBody, readText } from "../body.ts";
import type { Env } from "../env.ts";
import type { Caller, HttpOptions } from "../http.ts";
import type { Lifetimes } from "../lifetimes.ts";
import type { BodyReader } from "../public-body-reader.ts";
import { needsMiddleware } from "../needs.ts";
import { createProof } from "../proof.ts";
import type { SourceFor } from "../source.ts";
import type { EventTexts } from "../event-texts.ts";

export type App = OpenAPIHono<Env>;

/** Options of a group of routes. */
export interface RouteOptions {
  readonly areas: HttpOptions;
  readonly access: Access;
  readonly sourceFor: SourceFor;
  readonly lifetimes: Lifetimes;
  readonly texts: EventTexts;
  readonly publicBodyReader: BodyReader;
}

/** A request whose input matches the operation's schemas. */
export interface OperationRequest<Of extends Operation = Operation> {
  readonly principal: Principal;
  readonly caller: Caller;
  readonly request: Request;
  readonly params: { readonly [Name in keyof Of["params"]]: Checked<Of["params"][Name]> };
  readonly query: Checked<Of["query"]>;
  readonly body: Checked<Of["body"]>;
}

/**
 * The value that becomes the response. An operation without a body returns no value. An operation
 * with a body other than JSON returns only a `Response`.
 */
export type OperationResult<Success> = DeepReadonly<Json<Success, void, never>>;

type DeepReadonly<Value> = [z.core.util.JSONType] extends [Value]
  ? unknown
  : Value extends string | number | boolean | null | undefined | void
    ? Value
    : { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> };

/** Handles a request. Returns a `Response` to add headers, or to stream. */
export type Handler<Handles extends Operation> = (
  request: OperationRequest<Handles>,
) => OperationResult<Handles["answers"]> | Response | Promise<OperationResult<Handles["answers"]> | Response>;

/** Binds every operation of a group to its handler. */
export const bind = <const Group extends Operations>(
  app: App,
  options: RouteOptions,
  group: Group,
  handlers: { readonly [Name in keyof Group]: Handler<Group[Name]> },
): void => {
  for (const [name, operation] of Object.entries(group)) bindOne(app, options, operation, handlers[name] as AnyHandler);
};

type AnyHandler = (request: OperationRequest<Operation>) => unknown;

const bindOne = (app: App, options: RouteOptions, operation: Operation, handle: AnyHandler): void => {
  const { middleware, ...route } = toRouteConfig(options, operation);
  app.openapi({ ...route, middleware: [...middleware] }, async (c: Validated) => {
    const result = await handle({
      principal: c.env.principal,
      caller: c.env,
      request: c.req.raw,
      params: operation.params === undefined ? {} : c.req.valid("param"),
      query: operation.query === undefined ? undefined : c.req.valid("query"),
      body: operation.body === undefined ? undefined : c.req.valid("json"),
    });
    return result instanceof Response ? result : respond(operation.answers, result);
  });
};

type Validated = Context<
  Env,
  string,
  { readonly out: { readonly param: {}; readonly query: {}; readonly json: unknown } }
>;

const respond = ({ status, schema }: Success, value: unknown): Response =>
  schema === undefined ? emptyAnswer(status) : answer(value, status);

const COMMON_ERRORS = ["request.invalid", "auth.host", "auth.origin", "house.bug", "house.closing"] as const;
const AUTH_ERRORS = ["auth.missing", "auth.invalid", "auth.denied", "store.unavailable"] as const;
const BODY_ERRORS = ["request.too-large", "request.unsupported", "request.timeout"] as const;

/** Describes the route of an operation, and the checks before its handler. */
export const toRouteConfig = ({ access, areas, publicBodyReader }: RouteOptions, operation: Operation) => {
  const { id, tag, needs, requiresKey, freshLogin, answers, otherwise, params, query, body } = operation;
  const errors = new Set<ErrorCode>([
    ...COMMON_ERRORS,
    ...(needs === "nothing" ? [] : AUTH_ERRORS),
    ...(requiresKey === undefined ? [] : (["grant.exceeds"] as const)),
    ...(freshLogin === undefined ? [] : (["auth.stale"] as const)),
    ...(body === undefined && operation.refusesBody === undefined ? [] : BODY_ERRORS),
    ...(operation.errors ?? []),
  ]);
  const checks = [
    ...needsMiddleware(access, needs),
    ...createKeyChecks(requiresKey),
    ...(freshLogin === undefined ? [] : [createFreshLoginCheck(areas)]),
  ];
  return {
    method: METHODS[operation.method],
    path: operation.path,
    operationId: id,
    tags: [tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    "x-needs": needs,
    ...(freshLogin === undefined ? {} : { "x-fresh-login": freshLogin }),
    security: needs === "nothing" ? [] : [{ key: [] }, { session: [] }],
    request: {
      ...(params === undefined ? {} : { params: z.object(params) }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: { required: true, content: { "application/json": { schema: body } } } }),
    },
    responses: toResponses(otherwise === undefined ? [answers] : [answers, otherwise], errors),
    middleware: [
      // Checks of the body's fields need the body first.
      ...(body === undefined
        ? []
        : [requireJsonBody(needs === "nothing" ? publicBodyReader : createBodyReader(areas.kernel.world.clock))]),
      ...checks,
      ...(operation.refusesBody === undefined ? [] : [requireNoBody(areas.kernel.world.clock)]),
    ],
  };
};

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

const createKeyChecks = (required: Operation["requiresKey"]): readonly MiddlewareHandler<Env>[] => {
  if (required === undefined) return [];
  const check = required === "whole" ? requireUnlimited : requireNoExpiry;
  return [
    async (context, next) => {
      check(context.env.principal);
      await next();
    },
  ];
};

const createFreshLoginCheck = (areas: HttpOptions): MiddlewareHandler<Env> => {
  const proof = createProof(areas.people.logins);
  return async (context, next) => {
    proof.require(context.env.principal, "This change");
    await next();
  };
};

interface ResponseConfig {
  readonly description: string;
  readonly content?: { readonly [type: string]: { readonly schema: z.ZodType } };
}

type Responses = { [status: number]: ResponseConfig };

const toResponses = (successes: readonly Success[], errors: ReadonlySet<ErrorCode>): Responses => {
  const responses: Responses = {};
  for (const code of errors) {
    const status = errorStatus[code];
    const previousDescription = responses[status]?.description;
    responses[status] = {
      description: previousDescription === undefined ? `\`${code}\`` : `${previousDescription}, \`${code}\``,
      content: ERROR_BODY,
    };
  }
  for (const { status, schema, text = "Done.", type = "application/json" } of successes)
    responses[status] =
      schema === undefined ? { description: text } : { description: text, content: { [type]: { schema } } };
  return responses;
};

const ERROR_BODY = { "application/json": { schema: ErrorAnswer } };

/** Reads the bodies of callers with a credential. */
const createBodyReader = (clock: Clock): BodyReader => ({ read: (request, type) => readText(request, type, clock) });

const requireJsonBody =
  (bodies: BodyReader): MiddlewareHandler<Env> =>
  async (context, next) => {
    const text = await bodies.read(context.req.raw, "application/json");
    checkJson(text);
    // Hono's validator looks here first.
    Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  };

const requireNoBody =
  (clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const bytes = await readBody(context.req.raw, clock);
    // An empty object from clients that always send JSON is accepted.
    if (!EMPTY_BODY.test(new TextDecoder().decode(bytes)))
      throw new HearthError("request.invalid", "body: this operation takes no body", {
        hint: "See /docs for the accepted body.",
      });
    await next();
  };

const EMPTY_BODY = /^\s*(\{\s*\})?\s*$/;
