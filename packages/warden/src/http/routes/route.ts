/** Shared definitions of routes: what an operation does, who may call it, and its errors. */
import { requireLasting, requireWhole } from "../../people/lazy.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { checkJson, type Clock, ErrorAnswer, type ErrorCode, errorStatus, HearthError } from "@hearth/protocol";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import type { Access } from "../access.ts";
import { readBody, readText } from "../body.ts";
import type { Env } from "../env.ts";
import type { HttpOptions } from "../http.ts";
import type { Lifetimes } from "../lifetimes.ts";
import { demand, type Needs } from "../needs.ts";
import type { SourceFor } from "../source.ts";
import type { Texts } from "../texts.ts";

export type App = OpenAPIHono<Env>;

/** Options of a group of routes. */
export interface RouteOptions extends HttpOptions {
  readonly access: Access;
  readonly sourceFor: SourceFor;
  readonly lifetimes: Lifetimes;
  readonly texts: Texts;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The caller's needs. An operation without it does not compile. */
  readonly needs: Needs;
  /**
   * The keys that may not call this, because it creates rights or credentials. `whole`: only keys
   * without a scope and without an end may. `lasting`: only keys without an end may.
   * `mints.test.ts` lists every operation.
   */
  readonly asks?: "whole" | "lasting";
  /** The success response: its status, and the schema of its body if it has one. */
  readonly answers: Success;
  /** Another answer that is not an error. */
  readonly otherwise?: Success;
  /** Errors besides those that any operation may give. */
  readonly errors?: readonly ErrorCode[];
}

export interface Success {
  readonly status: number;
  readonly schema?: z.ZodType;
  readonly text?: string;
  readonly type?: string;
}

const EVERYWHERE = ["request.invalid", "auth.host", "auth.origin", "house.bug", "house.closing"] as const;
const AUTHENTICATED = ["auth.missing", "auth.invalid", "auth.denied", "store.unavailable"] as const;
const WITH_BODY = ["request.too-large", "request.unsupported", "request.timeout"] as const;

/** The route-independent part of a `createRoute` for an operation without a body. */
export const operation = (options: Pick<RouteOptions, "access">, about: Operation) => describe(options, about, []);

/** The same for an operation with a JSON body: reads it and refuses unsafe JSON. */
export const jsonOperation = (options: RouteOptions, about: Operation) => {
  const { middleware, ...rest } = describe(options, about, WITH_BODY);
  return { ...rest, middleware: [takeJson(options.world.clock), ...middleware] };
};

/**
 * The same for an operation that changes something and takes no body. Refuses a body, because its
 * sender expected an effect.
 */
export const bareOperation = (options: RouteOptions, about: Operation) => {
  const { middleware, ...rest } = describe(options, about, WITH_BODY);
  return { ...rest, middleware: [...middleware, takeNothing(options.world.clock)] };
};

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { "application/json": { schema } },
});

/** An id or a handle in a path. */
export const Name = z.string().min(1).max(200).describe("id or handle");

const describe = ({ access }: Pick<RouteOptions, "access">, about: Operation, more: readonly ErrorCode[]) => {
  const { id, tag, needs, answers } = about;
  const errors = new Set([
    ...EVERYWHERE,
    ...(needs === "nothing" ? [] : AUTHENTICATED),
    ...(about.asks === undefined ? [] : (["grant.exceeds"] as const)),
    ...more,
    ...(about.errors ?? []),
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary: about.summary,
    ...(about.description === undefined ? {} : { description: about.description }),
    "x-needs": needs,
    security: needs === "nothing" ? [] : [{ key: [] }, { session: [] }],
    responses: responses(about.otherwise === undefined ? [answers] : [answers, about.otherwise], errors),
    middleware: [...demand(access, needs), ...guards(about.asks)],
  };
};

const guards = (asks: Operation["asks"]): readonly MiddlewareHandler<Env>[] => {
  if (asks === undefined) return [];
  const check = asks === "whole" ? requireWhole : requireLasting;
  return [
    async (context, next) => {
      check(context.env.principal);
      await next();
    },
  ];
};

interface ResponseConfig {
  readonly description: string;
  readonly content?: { readonly [type: string]: { readonly schema: z.ZodType } };
}

type Responses = { [status: number]: ResponseConfig };

const responses = (successes: readonly Success[], errors: ReadonlySet<ErrorCode>): Responses => {
  const byStatus: Responses = {};
  for (const code of errors) {
    const status = errorStatus[code];
    const before = byStatus[status]?.description;
    byStatus[status] = {
      description: before === undefined ? `\`${code}\`` : `${before}, \`${code}\``,
      content: ERROR_BODY,
    };
  }
  for (const { status, schema, text = "Done.", type = "application/json" } of successes)
    byStatus[status] =
      schema === undefined ? { description: text } : { description: text, content: { [type]: { schema } } };
  return byStatus;
};

const ERROR_BODY = { "application/json": { schema: ErrorAnswer } };

const takeJson =
  (clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const text = await readText(context.req.raw, "application/json", clock);
    checkJson(text);
    // Hono's validator looks here first.
    Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  };

const takeNothing =
  (clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const bytes = await readBody(context.req.raw, clock);
    // An empty object from clients that always send JSON is accepted.
    if (!NOTHING.test(new TextDecoder().decode(bytes)))
      throw new HearthError("request.invalid", "body: takes nothing", { hint: "See /docs for the accepted body." });
    await next();
  };

const NOTHING = /^\s*(\{\s*\})?\s*$/;
