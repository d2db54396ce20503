/** Logins by OpenID Connect: the list for the login page, the start, and the callback of the provider. */
import type { Device } from "../../people/index.ts";
import { isHearthError } from "@hearth/protocol";
import { oidcLoginOperations } from "@hearth/protocol/operations";
import { emptyAnswer } from "../answer.ts";
import type { Caller } from "../http.ts";
import type { Finished } from "../oidc/house-oidc.ts";
import { toReturnPath } from "../oidc/return-path.ts";
import { toStartAnswer, toStartRedirect } from "../oidc/start-answer.ts";
import { deviceOf, oidcCookie, oidcCookieOf, readCookies, withCookie } from "../session-cookie.ts";
import { codePage, createSessionStart } from "../session-start.ts";
import { UI_PATH } from "../ui-files.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const ACCOUNT_PAGE = `${UI_PATH}settings/account`;

export const oidcLoginRoutes = (app: App, options: RouteOptions): void => {
  const { oidc, people, kernel, turns } = options.areas;
  const { identities, invites, attempts } = people;
  const { afterFirst } = createSessionStart(people);
  const { hash } = kernel.world;

  type Done<Kind> = Finished & { readonly purpose: { readonly kind: Kind } };

  const logIn = async (
    { account, level, newAccounts, purpose }: Done<"log-in">,
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
    const session = await afterFirst(step, device);
    if ("ticket" in session) return codePage(hash, session.ticket);
    return emptyAnswer(303, { location: purpose.to, ...withCookie(origin, session) });
  };

  const link = async ({ account, purpose: { agent, session } }: Done<"link">): Promise<Response> => {
    turns.restore.requireNone();
    await identities.link(agent, account, [{ kind: "exists", table: "logins", where: { id: session, agent } }]);
    return emptyAnswer(303, { location: ACCOUNT_PAGE });
  };

  const join = async ({ account, purpose }: Done<"invite">, device: Device, origin: string): Promise<Response> => {
    turns.restore.requireNone();
    const { session } = await invites.acceptBy(purpose, await identities.plan(account), device);
    return emptyAnswer(303, { location: UI_PATH, ...withCookie(origin, session) });
  };

  const finish = async (finished: Finished, device: Device, origin: string): Promise<Response> => {
    const { purpose } = finished;
    switch (purpose.kind) {
      case "log-in":
        return logIn({ ...finished, purpose }, device, origin);
      case "link":
        return link({ ...finished, purpose });
      case "invite":
        return join({ ...finished, purpose }, device, origin);
    }
  };

  /** A login that fails counts against the peer. */
  const counted = async <Value>({ peer }: Pick<Caller, "peer">, work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (isHearthError(error, "auth.invalid") || isHearthError(error, "auth.link") || isHearthError(error, "auth.sso"))
        attempts.stray(peer);
      throw error;
    }
  };

  bind(app, options, oidcLoginOperations, {
    providers: () => oidc.providers(),

    start: async ({ caller: { origin, peer }, params, query }) => {
      attempts.challenge(peer);
      const to = toReturnPath(query.to, origin);
      return toStartRedirect(origin, await oidc.start(params.provider, origin, { kind: "log-in", to }));
    },

    acceptInvite: async ({ caller, params, body }) => {
      attempts.challenge(caller.peer);
      await counted(caller, invites.check(body));
      return toStartAnswer(
        caller.origin,
        await oidc.start(params.provider, caller.origin, { kind: "invite", token: body.token, name: body.name }),
      );
    },

    callback: async ({ caller, request, params, query }) => {
      const { origin } = caller;
      const browsers = readCookies(request.headers, oidcCookieOf(origin));
      const { search } = new URL(request.url);
      const work = async (): Promise<Response> => {
        const finished = await oidc.finish(params.provider, { state: query.state, browsers, origin, search });
        return finish(finished, deviceOf(request, caller), origin);
      };
      const response = await counted(caller, work());
      response.headers.append("set-cookie", oidcCookie(origin, "", 0));
      return response;
    },
  });
};
