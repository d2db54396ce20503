/**
 * Serves the UI's files, which are open to every client because they hold no data of this house.
 * Redirects to the UI.
 */
import { HearthError } from "@hearth/protocol";
import { uiOperations } from "@hearth/protocol/operations";
import { emptyAnswer, fileAnswer } from "../answer.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const uiRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, uiOperations, {
    home: () => emptyAnswer(302, { location: UI_PATH }),
  });

  app.get("/ui", () => emptyAnswer(308, { location: UI_PATH }));
  app.get("/favicon.ico", () => emptyAnswer(302, { location: `${UI_PATH}icon.svg` }));

  app.get(`${UI_PATH}*`, async (c) => {
    // The raw path: escapes are part of a name, and no file name has one.
    const path = new URL(c.req.url).pathname.slice(UI_PATH.length);
    const file = await options.areas.daemon.ui.find(path);
    if (file === undefined) {
      throw new HearthError("request.not-found", "The UI has no such file.", { hint: `Load ${UI_PATH} again.` });
    }
    return fileAnswer(c.req.raw, file);
  });
};
