/** Login sessions: listing, and ending one or all. Their open connections end with them. */
import type { SessionRecord, Principal } from "../../people/index.ts";
import { requireWhole } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import { HearthError, type Session, SessionId, SessionList, SessionsEnded } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { WITHOUT_COOKIE } from "../session-cookie.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

const EndQuery = z.object({
  others: z.enum(["true", "false"]).default("false").describe("`true`: all except the current one"),
});

export const sessionRoutes = (app: App, options: RouteOptions): void => {
  const { logins } = options;
  const tag = "Login";

  /** The number of ended sessions. Deletes the cookie if the caller's own ended. */
  const ended = (count: number, isThis: boolean): Response =>
    answer({ ended: count } satisfies z.infer<typeof SessionsEnded>, 200, isThis ? WITHOUT_COOKIE : {});

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/sessions",
      ...operation(options, {
        id: "listSessions",
        tag,
        needs: "credential",
        summary: "Lists your logged-in browsers, newest first",
        answers: { status: 200, schema: SessionList },
        errors: ["grant.exceeds"],
      }),
    }),
    async (c) => {
      const { principal } = c.env;
      requireWhole(principal);
      return answer((await logins.list(principal.agent)).map((session) => toSession(session, principal)));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/sessions",
      ...operation(options, {
        id: "endSessions",
        tag,
        needs: "credential",
        summary: "Logs you out everywhere at once",
        description: "The sessions' open connections end within a second. Your unused login links become invalid.",
        answers: { status: 200, schema: SessionsEnded },
        errors: ["grant.exceeds"],
      }),
      request: { query: EndQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      requireWhole(principal);
      const keep = c.req.valid("query").others === "true" ? principal.session : undefined;
      const count = await logins.endAll(principal.agent, keep === undefined ? {} : { keep });
      return ended(count, keep === undefined && principal.session !== undefined);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/sessions/{id}",
      ...operation(options, {
        id: "endSession",
        tag,
        needs: "credential",
        summary: "Logs one of your browsers out",
        answers: { status: 200, schema: SessionsEnded },
        errors: ["record.not-found", "grant.exceeds"],
      }),
      request: { params: z.object({ id: SessionId }) },
    }),
    async (c) => {
      const { principal } = c.env;
      requireWhole(principal);
      const { id } = c.req.valid("param");
      if (await logins.end(principal.agent, id)) return ended(1, id === principal.session);
      throw new HearthError("record.not-found", `You have no session ${id}.`, {
        hint: "List them: hearth session list",
      });
    },
  );
};

const toSession = (session: SessionRecord, { session: own }: Principal): Session => ({
  ...session,
  isThis: session.id === own,
});
