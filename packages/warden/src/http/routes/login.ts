/**
 * Browser login and logout: a one-time link or a password, a button, a cookie. A view of the link
 * does not use it up.
 */
import type { Device, NewSession } from "../../people/index.ts";
import {
  checkJson,
  HearthError,
  LogIn,
  LogInStep,
  LogInWithPasskey,
  parseJson,
  type SecondStep,
  type Session,
} from "@hearth/protocol";
import { loginOperations, logoutOperations } from "@hearth/protocol/operations";
import { z } from "zod";
import { answer, emptyAnswer, pageAnswer } from "../answer.ts";
import { escapeHtml, renderNotice } from "../docs/layout.ts";
import { deviceOf, sessionCookieHeader, endedCookieHeader } from "../session-cookie.ts";
import { UI_PATH } from "../ui-files.ts";
import { codePage, createSessionStart } from "../session-start.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/**
 * A passkey, the second step of a login, a link's code, or name and password. Other fields are ignored.
 */
const Proof = z.union([LogInWithPasskey, LogInStep, z.object({ code: z.string().max(200) }), LogIn]);
type Proof = z.infer<typeof Proof>;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

export const loginRoutes = (app: App, options: RouteOptions): void => {
  const { areas, publicBodyReader } = options;
  const { world } = areas.kernel;
  const { logins, passwords, passkeys, secondFactors, attempts } = areas.people;

  const { begin, continueLogin } = createSessionStart(areas.people);

  const logInWithCode = async (code: string, device: Device): Promise<NewSession | SecondStep> => {
    const redeemedCode = logins.redeem(code);
    if (redeemedCode !== undefined) {
      const { agent, proves, method } = redeemedCode;
      if (method === "link") return continueLogin({ agent, by: "link", proves, sameCommit: {} }, device);
      return begin({ agent, method, proves, sameCommit: {} }, device);
    }
    attempts.recordInvalidCredential(device.peer);
    throw new HearthError("auth.invalid", "This login link was already used or has expired.", {
      hint: "Run `hearth login` for a new link.",
    });
  };

  const logInWithPassword = async (credentials: LogIn, device: Device): Promise<NewSession | SecondStep> => {
    const provenPerson = await passwords.check({ ...credentials, peer: device.peer });
    if (provenPerson !== undefined) {
      const { agent, guards } = provenPerson;
      return continueLogin({ agent, by: "password", proves: true, sameCommit: { guards } }, device);
    }
    throw new HearthError("auth.invalid", "The name or the password is wrong.", {
      hint: "Try again, or open a login link: `hearth login` prints one.",
    });
  };

  const logInWithProof = async (proof: Proof, device: Device, origin: string): Promise<NewSession | SecondStep> => {
    if ("passkey" in proof) return begin(await passkeys.answer(proof, { origin, peer: device.peer }), device);
    if ("ticket" in proof) return begin(await secondFactors.answer(proof, device.peer), device);
    return "code" in proof ? logInWithCode(proof.code, device) : logInWithPassword(proof, device);
  };

  bind(app, options, loginOperations, {
    show: ({ query }) => pageAnswer(renderNotice(world.hash, "Log in to Hearth", renderForm(query.code))),

    logIn: async ({ caller, request }) => {
      const isJson = request.headers.get("content-type")?.startsWith(JSON_TYPE) === true;
      const text = await publicBodyReader.read(request, isJson ? JSON_TYPE : FORM);
      const proof = isJson ? fromJson(text) : fromForm(text);
      const session = await logInWithProof(proof, deviceOf(request, caller), caller.origin);
      if ("ticket" in session)
        return isJson ? answer(session satisfies SecondStep, 200) : codePage(world.hash, session.ticket);
      const cookie = sessionCookieHeader(caller.origin, session);
      if (!isJson) return emptyAnswer(303, { location: UI_PATH, ...cookie });
      const { cookie: _, ...record } = session;
      return answer({ ...record, isThis: true } satisfies Session, 200, cookie);
    },
  });
};

export const logoutRoutes = (app: App, options: RouteOptions): void => {
  bind(app, options, logoutOperations, {
    logOut: async ({ principal: { agent, session }, caller: { origin } }) => {
      if (session !== undefined) await options.areas.people.logins.end(agent, session);
      return emptyAnswer(303, { location: UI_PATH, ...endedCookieHeader(origin) });
    },
  });
};

const fromJson = (text: string): Proof => {
  checkJson(text);
  return toProof(parseJson(text));
};

/** Reads the proof of a form. An empty form comes from a link without a code. */
const fromForm = (text: string): Proof => {
  const form = Object.fromEntries(new URLSearchParams(text));
  return toProof("password" in form || "ticket" in form ? form : { code: form["code"] ?? "" });
};

const toProof = (value: unknown): Proof => {
  const { success, data } = Proof.safeParse(value);
  if (success) return data;
  throw new HearthError("request.invalid", "A login needs `code`, or `person` and `password`.");
};

const renderForm = (code: string | undefined): string => (code === undefined ? PASSWORD_FORM : renderCodeForm(code));

const renderCodeForm = (code: string): string =>
  `<p>This link works once.</p><form method="post" action="/login"><input type="hidden" name="code" value="${escapeHtml(code)}"><button>Log in</button></form>`;

const PASSWORD_FORM =
  `<form method="post" action="/login"><label>Name<input name="person" autocomplete="username" autocapitalize="none" maxlength="200" required></label>` +
  `<label>Password<input type="password" name="password" autocomplete="current-password" maxlength="1000" required></label><button>Log in</button></form>` +
  `<p class="dim">Or open the login link that Hearth prints when it starts. <code>hearth login</code> prints a new one.</p>`;
