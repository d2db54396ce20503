/** The API's description, for programs and people. */
import { lazy } from "@hearth/protocol";
import { docsOperations } from "@hearth/protocol/operations";
import { answer, pageAnswer } from "../answer.ts";
import type { OpenApiDocument } from "../docs/open-api.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** Adds the routes. `document` is built on first use. */
export const docsRoutes = (app: App, options: RouteOptions, document: () => Promise<OpenApiDocument>): void => {
  const page = lazy(async () => {
    const { renderDocs } = await import("../docs/page.ts");
    return renderDocs(await document(), options.areas.kernel.world.hash);
  });

  bind(app, options, docsOperations, {
    openApi: async () => answer(await document()),

    page: async () => pageAnswer(await page()),
  });
};
