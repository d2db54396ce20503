/**
 * Browser login and logout: a one-time link or a password, a button, a cookie. Viewing the link
 * does not use it up.
 */
import { createSemaphore, type NewSession } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { checkJson, HearthError, LogIn, parseJson, Session } from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer, pageAnswer } from "../answer.ts";
import { type BodyLimits, readText } from "../body.ts";
import { escapeHtml, renderNotice } from "../docs/layout.ts";
import type { Caller } from "../http.ts";
import { withCookie, WITHOUT_COOKIE } from "../session-cookie.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

const LoginQuery = z.object({ code: z.string().max(200).optional() });
/** A link's code, or name and password. Other fields are ignored. */
const Proof = z.union([z.object({ code: z.string().max(200) }), LogIn]);
type Proof = z.infer<typeof Proof>;

const tag = "Login";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** The caller is not authenticated yet: such a body is small, fast, and limited in number. */
const BODY: BodyLimits = { maxSize: 8 * 1024, timeoutMs: 5_000 };
export const MAX_BODIES = 32;

export const loginRoutes = (app: App, options: RouteOptions): void => {
  const { logins, passwords, attempts, world } = options;
  const bodies = createSemaphore({ atOnce: MAX_BODIES, waiting: 0 });

  const byCode = async (code: string, about: string, { peer }: Pick<Caller, "peer">): Promise<NewSession> => {
    const session = await logins.redeem(code, about);
    if (session !== undefined) return session;
    attempts.stray(peer);
    throw new HearthError("auth.invalid", "This login link was already used or has expired.", {
      hint: "Run `hearth login` for a new link.",
    });
  };

  const byPassword = async (who: LogIn, about: string, { peer }: Pick<Caller, "peer">): Promise<NewSession> => {
    const proved = await passwords.check({ ...who, peer });
    // The guards refuse the session if the password was changed meanwhile.
    const session = proved === undefined ? undefined : await logins.begin(proved.agent, about, proved.guards);
    if (session !== undefined) return session;
    throw new HearthError("auth.invalid", "The name or the password is wrong.", {
      hint: "Try again, or open a login link: `hearth login` prints one.",
    });
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/login",
      ...operation(options, {
        id: "showLogin",
        tag,
        needs: "nothing",
        summary: "Shows a form that logs in",
        answers: { status: 200, schema: z.string(), type: "text/html" },
      }),
      request: { query: LoginQuery },
    }),
    (c) => pageAnswer(renderNotice(world.hash, "Log in to Hearth", body(c.req.valid("query").code))),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/login",
      ...operation(options, {
        id: "logIn",
        tag,
        needs: "nothing",
        summary: "Turns the code of a login link, or a password, into a session cookie",
        description: `Takes \`code\`, or \`person\` and \`password\`, as ${FORM} or as ${JSON_TYPE}. A form is redirected to the UI; JSON gets the session.`,
        answers: { status: 303, text: "Logged in; the cookie is set." },
        otherwise: { status: 200, schema: Session, text: "The same for JSON." },
        errors: ["auth.invalid", "auth.limited", "request.unsupported", "request.too-large", "request.timeout"],
      }),
    }),
    async (c) => {
      const { raw } = c.req;
      const isJson = raw.headers.get("content-type")?.startsWith(JSON_TYPE) === true;
      const text = await bodies.pass(() => readText(raw, isJson ? JSON_TYPE : FORM, world.clock, BODY));
      const proof = isJson ? fromJson(text) : fromForm(text);
      const about = raw.headers.get("user-agent") ?? "";
      const session = "code" in proof ? await byCode(proof.code, about, c.env) : await byPassword(proof, about, c.env);
      const cookie = withCookie(session);
      if (!isJson) return emptyAnswer(303, { location: UI_PATH, ...cookie });
      const { cookie: _, ...record } = session;
      return answer({ ...record, isThis: true } satisfies z.infer<typeof Session>, 200, cookie);
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
        needs: "credential",
        summary: "Ends the session of this cookie",
        answers: { status: 303, text: "Logged out; the cookie is gone." },
      }),
    }),
    async (c) => {
      const { agent, session } = c.env.principal;
      if (session !== undefined) await options.logins.end(agent, session);
      return emptyAnswer(303, { location: UI_PATH, ...WITHOUT_COOKIE });
    },
  );
};

const fromJson = (text: string): Proof => {
  checkJson(text);
  return toProof(parseJson(text));
};

/** An empty form comes from a link without a code. */
const fromForm = (text: string): Proof => {
  const form = Object.fromEntries(new URLSearchParams(text));
  return toProof("password" in form ? form : { code: form["code"] ?? "" });
};

const toProof = (value: unknown): Proof => {
  const { success, data } = Proof.safeParse(value);
  if (success) return data;
  throw new HearthError("request.invalid", "A login needs `code`, or `person` and `password`.");
};

const body = (code: string | undefined): string => (code === undefined ? PASSWORD_FORM : codeForm(code));

const codeForm = (code: string): string =>
  `<p>This link works once.</p><form method="post" action="/login"><input type="hidden" name="code" value="${escapeHtml(code)}"><button>Log in</button></form>`;

const PASSWORD_FORM =
  `<form method="post" action="/login"><label>Name<input name="person" autocomplete="username" autocapitalize="none" maxlength="200" required></label>` +
  `<label>Password<input type="password" name="password" autocomplete="current-password" maxlength="1000" required></label><button>Log in</button></form>` +
  `<p class="dim">Or open the login link that Hearth prints when it starts. <code>hearth login</code> prints a new one.</p>`;
