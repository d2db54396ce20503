/** How a browser gets in and out: a one-time link, a button, a cookie. Looking at the link does not use it up. */
import { createRoute } from "@hono/zod-openapi";
import { HearthError } from "@hearth/protocol";
import { z } from "zod";
import { emptyAnswer, pageAnswer } from "../answer.ts";
import { readText } from "../body.ts";
import { escapeHtml, renderPage } from "../docs/layout.ts";
import { readSessionCookie, SESSION_COOKIE } from "../guard.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

const LoginQuery = z.object({ code: z.string().max(200).optional() });
const tag = "Login";
/** Sent by no page of another site, read by no script. */
const COOKIE_TRAITS = "HttpOnly; SameSite=Strict; Path=/";

export const loginRoutes = (app: App, options: RouteOptions): void => {
  const { logins, world } = options;

  app.openapi(
    createRoute({
      method: "get",
      path: "/login",
      ...operation(options, {
        id: "showLogin",
        tag,
        who: "open",
        summary: "Shows a button that logs in",
        answers: { status: 200, schema: z.string(), type: "text/html" },
      }),
      request: { query: LoginQuery },
    }),
    (c) => {
      const { html, styleHash } = renderPage(world.hash, "Log in to Hearth", body(c.req.valid("query").code));
      return pageAnswer(html, styleHash);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/login",
      ...operation(options, {
        id: "logIn",
        tag,
        who: "open",
        summary: "Turns the code of a login link into a session cookie",
        description: "Takes the form of the login page: `code`, as application/x-www-form-urlencoded.",
        answers: { status: 303, text: "Logged in; the cookie is set." },
        errors: ["auth.invalid", "request.unsupported", "request.too-large"],
      }),
    }),
    async (c) => {
      const form = new URLSearchParams(await readText(c.req.raw, "application/x-www-form-urlencoded", world.clock));
      const session = await logins.redeem(form.get("code") ?? "");
      if (session === undefined) {
        throw new HearthError("auth.invalid", "This login link was used already, or is too old.", {
          hint: "Hearth prints a new one at each start.",
        });
      }
      const maxAge = Math.floor((session.expiresAt - world.clock.now()) / 1000);
      const cookie = `${SESSION_COOKIE}=${session.cookie}; Max-Age=${maxAge}; ${COOKIE_TRAITS}`;
      return emptyAnswer(303, { location: "/", "set-cookie": cookie });
    },
  );
};

export const logoutRoutes = (app: App, options: RouteOptions): void => {
  app.openapi(
    createRoute({
      method: "post",
      path: "/logout",
      ...operation(options, {
        id: "logOut",
        tag,
        who: "agent",
        summary: "Ends the session of this cookie",
        answers: { status: 303, text: "Logged out; the cookie is gone." },
      }),
    }),
    async (c) => {
      const cookie = readSessionCookie(c.req.raw.headers);
      if (cookie !== undefined) await options.logins.end(cookie);
      return emptyAnswer(303, { location: "/login", "set-cookie": `${SESSION_COOKIE}=; Max-Age=0; ${COOKIE_TRAITS}` });
    },
  );
};

const body = (code: string | undefined): string =>
  code === undefined
    ? "<h1>Hearth</h1><p>Open the login link that Hearth prints when it starts.</p>"
    : `<h1>Hearth</h1><p>This link works once.</p><form method="post" action="/login"><input type="hidden" name="code" value="${escapeHtml(code)}"><button>Log in</button></form>`;
