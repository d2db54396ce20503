/**
 * Serves the UI's files, open to all because they hold no data of this house, and redirects to it.
 */
import { createRoute } from "@hono/zod-openapi";
import { HearthError } from "@hearth/protocol";
import { emptyAnswer, fileAnswer } from "../answer.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

export const uiRoutes = (app: App, options: RouteOptions): void => {
  app.openapi(
    createRoute({
      method: "get",
      path: "/",
      ...operation(options, {
        id: "home",
        tag: "UI",
        needs: "nothing",
        summary: "Redirects to the UI",
        answers: { status: 302, text: `To ${UI_PATH}.` },
      }),
    }),
    () => emptyAnswer(302, { location: UI_PATH }),
  );

  app.get("/ui", () => emptyAnswer(308, { location: UI_PATH }));
  app.get("/favicon.ico", () => emptyAnswer(302, { location: `${UI_PATH}icon.svg` }));

  app.get(`${UI_PATH}*`, async (c) => {
    // The raw path: escapes are part of a name, and no file name has one.
    const path = new URL(c.req.url).pathname.slice(UI_PATH.length);
    const file = await options.ui.find(path);
    if (file === undefined) {
      throw new HearthError("request.not-found", "The UI has no such file.", { hint: `Load ${UI_PATH} again.` });
    }
    return fileAnswer(c.req.raw, file);
  });
};
