/** Inboxes of agents: looking into one, and putting away what has been dealt with. */
import { isLimited } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { HearthError, InboxId, InboxList, InboxMessage, InboxQuery, PatchInbox, reaches } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

export const inboxRoutes = (app: App, options: RouteOptions): void => {
  const { access, home, inbox, records } = options;
  const tag = "Agents";

  const looksAfter = async (principal: Principal, { to }: InboxMessage): Promise<boolean> => {
    if (to === principal.agent && !isLimited(principal)) return true;
    // Of an agent that is gone nobody's house says who decides: it is the home's.
    const place = (await records.find("agent", to))?.house ?? home;
    return reaches(await access.levelOf(principal, place), "x");
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/inbox",
      ...operation(options, {
        id: "listInbox",
        tag,
        needs: "x on agent {agent} or self",
        summary: "Lists what other agents left for it, newest first",
        description:
          "A `pending` message is shown in its next prompt in a room where every reader also reads `room`, in which it was written. It is `read` when that turn ended with a reply.",
        answers: { status: 200, schema: InboxList },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }), query: InboxQuery },
    }),
    async (c) => {
      const { id } = await access.find(c.env.principal, "agent", c.req.valid("param").agent);
      return answer([...(await inbox.list(id, c.req.valid("query")))]);
    },
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/inbox/{id}",
      ...jsonOperation(options, {
        id: "archiveInbox",
        tag,
        needs: "credential",
        summary: "Puts a message away: it is shown in no prompt any more",
        description: "For the agent that it was left for, and for whoever decides (`x`) in the house of that one.",
        answers: { status: 200, schema: InboxMessage },
        errors: ["inbox.not-found"],
      }),
      request: { params: z.object({ id: InboxId }), body: jsonBody(PatchInbox) },
    }),
    async (c) => {
      const message = await inbox.get(c.req.valid("param").id);
      if (await looksAfter(c.env.principal, message)) return answer(await inbox.archive(message.id));
      throw new HearthError("inbox.not-found", `There is no message ${message.id} in any inbox.`, {
        hint: "List an agent's: hearth agent inbox AGENT",
      });
    },
  );
};
