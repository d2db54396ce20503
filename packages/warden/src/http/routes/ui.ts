/**
 * Serves the UI's files, which are open to every client because they hold no data of this house.
 * Redirects to the UI.
 */
import { HearthError } from "@hearth/protocol";
import { LANGUAGE_COOKIE } from "@hearth/protocol/api";
import { uiOperations } from "@hearth/protocol/operations";
import { emptyAnswer, fileAnswer, readWeights } from "../answer.ts";
import { readCookies } from "../session-cookie.ts";
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
    const file = await options.areas.daemon.ui.find(path, readLanguages(c.req.raw.headers));
    if (file === undefined) {
      throw new HearthError("request.not-found", "The UI has no such file.", { hint: `Load ${UI_PATH} again.` });
    }
    return fileAnswer(c.req.raw, file);
  });
};

/** Returns the languages that the client prefers. The UI stores a chosen language in a cookie. */
const readLanguages = (headers: Headers): readonly string[] => [
  ...readCookies(headers, LANGUAGE_COOKIE),
  ...[...readWeights(headers.get("accept-language"))]
    .filter(([code, weight]) => code !== "" && weight > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code),
];
