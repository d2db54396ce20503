/** Providers of models: listing, discovering, adding, removing, testing. */
import { actorOf } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  CreateProvider,
  FoundServerList,
  KnownProviderList,
  ModelList,
  ProviderInfo,
  ProviderTest,
  TestNewProvider,
  TestProvider,
} from "@hearth/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import type { Env } from "../env.ts";
import { createProof } from "../proof.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

const ProviderPath = z.object({ name: z.string().min(1).max(64) });

const REFERENCE_HINT =
  "Send the key itself as `key`, or run `hearth provider add NAME --api-key REFERENCE` on the daemon's machine, or log in again with a link from `hearth login`.";

/** Errors that a provider may return. */
const CALL_ERRORS = [
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.timeout",
  "provider.refused",
  "provider.malformed",
  "provider.failed",
] as const;

export const providerRoutes = (app: App, options: RouteOptions): void => {
  const { providers, lifetimes, logins } = options;
  const proof = createProof(logins);
  const tag = "Providers";

  /** A call ends with the request that made it. */
  const whileAsked = async <Answer>(
    c: Context<Env>,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> => {
    const life = lifetimes.begin(c.env, { peer: c.req.raw.signal });
    try {
      return await work(life.signal);
    } finally {
      life.end();
    }
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/providers",
      ...operation(options, {
        id: "listProviders",
        tag,
        needs: "x on home",
        summary: "Lists the model providers",
        answers: { status: 200, schema: z.array(ProviderInfo) },
      }),
    }),
    async () => answer(await providers.list()),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/providers/known",
      ...operation(options, {
        id: "listKnownProviders",
        tag,
        needs: "x on home",
        summary: "Lists vendors that need only a key",
        answers: { status: 200, schema: KnownProviderList },
      }),
    }),
    async () => answer(providers.known()),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/providers/found",
      ...operation(options, {
        id: "findModelServers",
        tag,
        needs: "x on home",
        summary: "Searches for model servers on this machine",
        description: "Returns servers that answer quickly and are not in the config yet, with their models.",
        answers: { status: 200, schema: FoundServerList },
      }),
    }),
    (c) => whileAsked(c, async (signal) => answer(await providers.found(signal))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/providers",
      ...jsonOperation(options, {
        id: "addProvider",
        tag,
        needs: "x on home",
        summary: "Adds a provider to the config file",
        description:
          "Hearth stores a `key` in a separate file, which the config names. No answer shows the key. A reference (`apiKey`) needs the run token or a login link that was opened in the last 15 minutes.",
        answers: { status: 201, schema: ProviderInfo },
        errors: ["config.invalid", "record.handle-taken", "home.read-only"],
      }),
      request: { body: jsonBody(CreateProvider) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { name, kind, baseUrl, apiKey, key } = c.req.valid("json");
      if (apiKey !== undefined) proof.require(principal, "A reference to a key", REFERENCE_HINT);
      const provider = {
        name,
        kind,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(key === undefined ? {} : { key }),
      };
      return answer(await providers.add(provider, actorOf(principal)), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/provider-tests",
      ...jsonOperation(options, {
        id: "testNewProvider",
        tag,
        needs: "x on home",
        summary: "Makes a minimal real call to a provider that is not configured",
        description: "Nothing is stored, and no answer shows its key. Without a `model` it lists the models.",
        answers: { status: 200, schema: ProviderTest },
        errors: ["config.invalid", "provider.unknown"],
      }),
      request: { body: jsonBody(TestNewProvider) },
    }),
    (c) =>
      whileAsked(c, async (signal) => {
        const { name, kind, baseUrl, key, model } = c.req.valid("json");
        const provider = {
          ...{ name, kind },
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(key === undefined ? {} : { key }),
        };
        return answer(await providers.testNew(provider, model, signal));
      }),
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/providers/{name}",
      ...operation(options, {
        id: "removeProvider",
        tag,
        needs: "x on home",
        summary: "Removes a provider from the config file, with its stored key",
        answers: { status: 204 },
        errors: ["provider.unknown", "home.read-only"],
      }),
      request: { params: ProviderPath },
    }),
    async (c) => {
      await providers.remove(c.req.valid("param").name, actorOf(c.env.principal));
      return emptyAnswer(204);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/providers/{name}/models",
      ...operation(options, {
        id: "listModels",
        tag,
        needs: "x on home",
        summary: "Lists the models of a provider, by its own names",
        answers: { status: 200, schema: ModelList },
        errors: CALL_ERRORS,
      }),
      request: { params: ProviderPath },
    }),
    (c) => whileAsked(c, async (signal) => answer(await providers.models(c.req.valid("param").name, signal))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/providers/{name}/test",
      ...jsonOperation(options, {
        id: "testProvider",
        tag,
        needs: "x on home",
        summary: "Makes one minimal real call, or lists the models if the request names none",
        answers: { status: 200, schema: ProviderTest },
        errors: ["provider.unknown"],
      }),
      request: { params: ProviderPath, body: jsonBody(TestProvider) },
    }),
    (c) =>
      whileAsked(c, async (signal) =>
        answer(await providers.test(c.req.valid("param").name, c.req.valid("json").model, signal)),
      ),
  );
};
