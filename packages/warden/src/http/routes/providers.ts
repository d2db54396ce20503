/** Where models come from: listed, added, removed, tried. */
import { createRoute } from "@hono/zod-openapi";
import { CreateProvider, ProviderInfo, ProviderTest, TestProvider } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, operation, type RouteOptions } from "./route.ts";

const ProviderPath = z.object({ name: z.string().min(1).max(64) });

export const providerRoutes = (app: App, options: RouteOptions): void => {
  const { providers, lifetimes } = options;
  const tag = "Providers";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/providers",
      ...operation(options, {
        id: "listProviders",
        tag,
        who: "person",
        summary: "Lists the providers of models",
        answers: { status: 200, schema: z.array(ProviderInfo) },
      }),
    }),
    async () => answer(await providers.list()),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/providers",
      ...jsonOperation(options, {
        id: "addProvider",
        tag,
        who: "person",
        summary: "Writes a provider into the config file",
        answers: { status: 201, schema: ProviderInfo },
        errors: ["config.invalid", "record.handle-taken"],
      }),
      request: { body: jsonBody(CreateProvider) },
    }),
    async (c) => {
      const { name, kind, baseUrl, apiKey } = c.req.valid("json");
      const added = await providers.add({
        name,
        kind,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
      });
      return answer(added, 201);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/providers/{name}",
      ...operation(options, {
        id: "removeProvider",
        tag,
        who: "person",
        summary: "Takes a provider out of the config file",
        answers: { status: 204 },
        errors: ["provider.unknown"],
      }),
      request: { params: ProviderPath },
    }),
    async (c) => {
      await providers.remove(c.req.valid("param").name);
      return emptyAnswer(204);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/providers/{name}/test",
      ...jsonOperation(options, {
        id: "testProvider",
        tag,
        who: "person",
        summary: "Makes one tiny real call",
        answers: { status: 200, schema: ProviderTest },
        errors: ["provider.unknown"],
      }),
      request: { params: ProviderPath, body: jsonBody(TestProvider) },
    }),
    async (c) => {
      const life = lifetimes.begin(c.env, { peer: c.req.raw.signal });
      try {
        return answer(await providers.test(c.req.valid("param").name, c.req.valid("json").model, life.signal));
      } finally {
        life.end();
      }
    },
  );
};
