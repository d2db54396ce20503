/** Logins by OpenID Connect: the list for the login page, the start, and the callback of the provider. */
import type { Device } from "../../people/index.ts";
import { isHearthError } from "@hearth/protocol";
import { oidcLoginOperations } from "@hearth/protocol/operations";
import { emptyAnswer } from "../answer.ts";
import type { Caller } from "../http.ts";
import type { FinishedLogin, Purpose } from "../oidc/house-oidc.ts";
import { toReturnPath } from "../oidc/return-path.ts";
import { toStartRedirect } from "../oidc/start-answer.ts";
import { deviceOf, oidcCookieHeader, oidcCookieName, readCookies, sessionCookieHeader } from "../session-cookie.ts";
import { codePage, createSessionStart } from "../session-start.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const ACCOUNT_PAGE = `${UI_PATH}settings/account`;

export const oidcLoginRoutes = (app: App, options: RouteOptions): void => {
  const { daemon, people, kernel, turns } = options.areas;
  const { oidc } = daemon;
  const { identities, attempts } = people;
  const { continueLogin } = createSessionStart(people);
  const { hash } = kernel.world;

  const logIn = async (
    { account, level, newAccounts }: FinishedLogin,
    { to, asksAgain }: Extract<Purpose, { readonly kind: "log-in" }>,
    device: Device,
    origin: string,
  ): Promise<Response> => {
    if (newAccounts !== undefined && !(await identities.isLinked(account))) {
      turns.restore.requireNone();
      const onHouse = level !== undefined && newAccounts.rooms.length === 0;
      await identities.create(account, onHouse ? { level, rooms: [] } : newAccounts);
    }
    const step = await identities.logIn(account);
    if (level !== undefined) await identities.setLevel(step.agent, account.provider, level);
    const session = await continueLogin({ ...step, proves: asksAgain }, device);
    if ("ticket" in session) return codePage(hash, session.ticket);
    return emptyAnswer(303, { location: to, ...sessionCookieHeader(origin, session) });
  };

  const link = async (
    { account }: FinishedLogin,
    { agent, session }: Extract<Purpose, { readonly kind: "link" }>,
  ): Promise<Response> => {
    turns.restore.requireNone();
    await identities.link(agent, account, [{ kind: "exists", table: "logins", where: { id: session, agent } }]);
    return emptyAnswer(303, { location: ACCOUNT_PAGE });
  };

  const finish = async (finishedLogin: FinishedLogin, device: Device, origin: string): Promise<Response> => {
    const { purpose } = finishedLogin;
    return purpose.kind === "link" ? link(finishedLogin, purpose) : logIn(finishedLogin, purpose, device, origin);
  };

  /** Counts a login that fails against the peer. */
  const countFailures = async <Value>({ peer }: Pick<Caller, "peer">, work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (isHearthError(error, "auth.invalid") || isHearthError(error, "auth.sso"))
        attempts.recordInvalidCredential(peer);
      throw error;
    }
  };

  bind(app, options, oidcLoginOperations, {
    providers: () => oidc.providers(),

    start: async ({ caller: { origin, peer }, params, query }) => {
      attempts.challenge(peer);
      const to = toReturnPath(query.to, origin);
      const purpose = { kind: "log-in", to, asksAgain: query.again === "true" } as const;
      return toStartRedirect(origin, await oidc.start(params.provider, origin, purpose));
    },

    callback: async ({ caller, request, params, query }) => {
      const { origin } = caller;
      const browsers = readCookies(request.headers, oidcCookieName(origin));
      const { search } = new URL(request.url);
      const work = async (): Promise<Response> => {
        const finishedLogin = await oidc.finish(params.provider, { state: query.state, browsers, origin, search });
        return finish(finishedLogin, deviceOf(request, caller), origin);
      };
      const response = await countFailures(caller, work());
      response.headers.append("set-cookie", oidcCookieHeader(origin, ""));
      return response;
    },
  });
};
