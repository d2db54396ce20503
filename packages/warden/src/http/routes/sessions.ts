/** Login sessions: listing, and ending one or all. Their open connections end with them. */
import type { SessionRecord, Principal } from "../../people/index.ts";
import { requireWhole } from "../../people/lazy.ts";
import { HearthError, type Session, type SessionsEnded } from "@hearth/protocol";
import { sessionOperations } from "@hearth/protocol/operations";
import { answer } from "../answer.ts";
import type { Caller } from "../http.ts";
import { withoutCookie } from "../session-cookie.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const sessionRoutes = (app: App, options: RouteOptions): void => {
  const { logins } = options.areas.people;

  /** The number of ended sessions. Deletes the cookie if the caller's own ended. */
  const ended = (count: number, { origin }: Caller, isThis: boolean): Response =>
    answer({ ended: count } satisfies SessionsEnded, 200, isThis ? withoutCookie(origin) : {});

  bind(app, options, sessionOperations, {
    list: async ({ principal }) => {
      requireWhole(principal);
      return (await logins.list(principal.agent)).map((session) => toSession(session, principal));
    },

    endAll: async ({ principal, caller, query }) => {
      requireWhole(principal);
      const keep = query.others === "true" ? principal.session : undefined;
      const count = await logins.endAll(principal.agent, keep === undefined ? {} : { keep });
      return ended(count, caller, keep === undefined && principal.session !== undefined);
    },

    end: async ({ principal, caller, params }) => {
      requireWhole(principal);
      const { id } = params;
      if (await logins.end(principal.agent, id)) return ended(1, caller, id === principal.session);
      throw new HearthError("record.not-found", `You have no session ${id}.`, {
        hint: "List them: hearth session list",
      });
    },
  });
};

const toSession = (session: SessionRecord, { session: own }: Principal): Session => ({
  ...session,
  isThis: session.id === own,
});
