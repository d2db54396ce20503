/** The API's description, for programs and people. */
import { createRoute } from "@hono/zod-openapi";
import { lazy } from "@hearth/protocol";
import { z } from "zod";
import { answer, pageAnswer } from "../answer.ts";
import type { OpenApiDocument } from "../docs/open-api.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

/** `document` is built on first use. */
export const docsRoutes = (app: App, options: RouteOptions, document: () => Promise<OpenApiDocument>): void => {
  const tag = "Documentation";
  const page = lazy(async () => {
    const { renderDocs } = await import("../docs/page.ts");
    return renderDocs(await document(), options.world.hash);
  });

  app.openapi(
    createRoute({
      method: "get",
      path: "/openapi.json",
      ...operation(options, {
        id: "openapi",
        tag,
        needs: "credential",
        summary: "This API as OpenAPI 3.1",
        answers: { status: 200, schema: z.looseObject({ openapi: z.string() }) },
      }),
    }),
    async () => answer(await document()),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/docs",
      ...operation(options, {
        id: "docs",
        tag,
        needs: "credential",
        summary: "This API as a page",
        answers: { status: 200, schema: z.string(), type: "text/html" },
      }),
    }),
    async () => pageAnswer(await page()),
  );
};
