/**
 * Invite links: managing them, and accepting one. The token is in the body, never in the URL of a
 * request.
 */
import { isHearthError, type Session } from "@hearth/protocol";
import { invitedOperations, inviteOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import type { Caller } from "../http.ts";
import { deviceOf, sessionCookieHeader } from "../session-cookie.ts";
import { UI_PATH } from "../ui-files.ts";
import { requireHome } from "./grants.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** Browsers send nothing behind `#` to a server, nor in a Referer header. */
const INVITE_PATH = `${UI_PATH}invite#`;

export const inviteRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { invites } = areas.people;

  bind(app, options, inviteOperations, {
    list: async ({ principal, params }) => invites.list((await access.find(principal, "house", params.house)).id),

    create: async ({ principal, params, body }) => {
      const house = await access.find(principal, "house", params.house);
      requireHome(body.rights, house.id, access.home);
      const { token, ...invite } = await invites.create(house.id, body, principal.agent);
      return { ...invite, ...areas.daemon.linkTo(`${INVITE_PATH}${token}`) };
    },

    revoke: async ({ principal, params }) =>
      invites.revoke((await access.find(principal, "house", params.house)).id, params.id),
  });
};

export const invitedRoutes = (app: App, options: RouteOptions): void => {
  const { invites, attempts } = options.areas.people;

  /** Counts an invalid token against the peer. */
  const countFailures = async <Value>({ peer }: Pick<Caller, "peer">, work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (isHearthError(error, "auth.link")) attempts.recordInvalidCredential(peer);
      throw error;
    }
  };

  bind(app, options, invitedOperations, {
    preview: ({ caller, body }) => countFailures(caller, invites.preview(body.token)),

    accept: async ({ caller, request, body }) => {
      const { session, handle, room } = await countFailures(caller, invites.accept(body, deviceOf(request, caller)));
      const { cookie: _, ...record } = session;
      return answer(
        {
          session: { ...record, isThis: true } satisfies Session,
          handle,
          ...(room === undefined ? {} : { room: room.handle }),
        },
        201,
        sessionCookieHeader(caller.origin, session),
      );
    },
  });
};
