/** The API described: for programs and for people. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { answer, emptyAnswer, pageAnswer } from "../answer.ts";
import type { OpenApiDocument } from "../docs/document.ts";
import type { Page } from "../docs/layout.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

/** `document` is built on first use. */
export const docsRoutes = (app: App, options: RouteOptions, document: () => Promise<OpenApiDocument>): void => {
  const tag = "Documentation";
  let page: Promise<Page> | undefined;

  const render = async (): Promise<Page> => {
    const { renderDocs } = await import("../docs/page.ts");
    return renderDocs(await document(), options.world.hash);
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/openapi.json",
      ...operation(options, {
        id: "openapi",
        tag,
        who: "agent",
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
        who: "agent",
        summary: "This API as a page to read",
        answers: { status: 200, schema: z.string(), type: "text/html" },
      }),
    }),
    async () => {
      page ??= render();
      const { html, styleHash } = await page;
      return pageAnswer(html, styleHash);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/",
      ...operation(options, {
        id: "home",
        tag,
        who: "agent",
        summary: "Leads to the documentation",
        answers: { status: 302, text: "To /docs." },
      }),
    }),
    () => emptyAnswer(302, { location: "/docs" }),
  );
};
