/** What the routes share: the app they are put on, and how one says what it does, who may, and what can go wrong. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { type Clock, ErrorAnswer, type ErrorCode, errorStatus } from "@hearth/protocol";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import type { Access } from "../access.ts";
import { checkJson, readText } from "../body.ts";
import type { Caller, HttpOptions } from "../http.ts";
import type { Lifetimes } from "../lifetimes.ts";
import type { Source } from "../source.ts";

/** Hono's environment: who is asking. Set before any route runs. */
export interface Env {
  Bindings: Caller;
}
export type App = OpenAPIHono<Env>;

/** What a group of routes is given. */
export interface RouteOptions extends HttpOptions {
  readonly access: Access;
  readonly source: Source;
  readonly lifetimes: Lifetimes;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** `open`: no credential. `agent`: any, within what its agent sees. `person`: only a person's. */
  readonly who: "open" | "agent" | "person";
  /** The success: its status, and its body unless there is none. */
  readonly answers: Success;
  /** Another answer that is not an error. */
  readonly otherwise?: Success;
  /** What can go wrong beyond what can go wrong everywhere. */
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
export const operation = (options: RouteOptions, about: Operation) => describe(options, about, []);

/** The same for one that takes JSON: reads it, and refuses what is not safe to parse. */
export const jsonOperation = (options: RouteOptions, about: Operation) => {
  const { middleware, ...rest } = describe(options, about, WITH_BODY);
  return { ...rest, middleware: [...middleware, takeJson(options.world.clock)] };
};

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { "application/json": { schema } },
});

/** An id or a handle in a path. */
export const Name = z.string().min(1).max(200).describe("id or handle");

const describe = ({ access }: RouteOptions, about: Operation, more: readonly ErrorCode[]) => {
  const { id, tag, who, answers } = about;
  const errors = [...EVERYWHERE, ...(who === "open" ? [] : AUTHENTICATED), ...more, ...(about.errors ?? [])];
  return {
    operationId: id,
    tags: [tag],
    summary: about.summary,
    ...(about.description === undefined ? {} : { description: about.description }),
    "x-who": who,
    security: who === "open" ? [] : [{ key: [] }, { session: [] }],
    responses: {
      [answers.status]: success(answers),
      ...failures(errors),
      ...(about.otherwise === undefined ? {} : { [about.otherwise.status]: success(about.otherwise) }),
    },
    middleware: who === "person" ? [onlyPeople(access)] : [],
  };
};

interface ResponseConfig {
  readonly description: string;
  readonly content?: { readonly [type: string]: { readonly schema: z.ZodType } };
}

const success = ({ schema, text = "Done.", type = "application/json" }: Success): ResponseConfig =>
  schema === undefined ? { description: text } : { description: text, content: { [type]: { schema } } };

const failures = (codes: readonly ErrorCode[]): { readonly [status: number]: ResponseConfig } => {
  const byStatus: { [status: number]: ResponseConfig } = {};
  for (const code of new Set(codes)) {
    const status = errorStatus[code];
    const before = byStatus[status]?.description;
    byStatus[status] = {
      description: before === undefined ? `\`${code}\`` : `${before}, \`${code}\``,
      content: { "application/json": { schema: ErrorAnswer } },
    };
  }
  return byStatus;
};

const onlyPeople =
  (access: Access): MiddlewareHandler<Env> =>
  async (context, next) => {
    await access.requirePerson(context.env.principal);
    await next();
  };

const takeJson =
  (clock: Clock): MiddlewareHandler<Env> =>
  async (context, next) => {
    const text = await readText(context.req.raw, "application/json", clock);
    checkJson(text);
    // Where Hono's validator looks first.
    Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  };
