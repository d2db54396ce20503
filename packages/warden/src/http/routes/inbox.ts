/** Agents' inboxes: listing and archiving messages. */
import { isLimited } from "../../people/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { HearthError, InboxId, InboxList, InboxMessage, InboxQuery, PatchInbox, includesLevel } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

export const inboxRoutes = (app: App, options: RouteOptions): void => {
  const { access, home, inbox, records } = options;
  const tag = "Agents";

  const looksAfter = async (principal: Principal, { to }: InboxMessage): Promise<boolean> => {
    if (to === principal.agent && !isLimited(principal)) return true;
    // For a deleted agent, the home's administrators decide.
    const place = (await records.find("agent", to))?.house ?? home;
    return includesLevel(await access.levelOf(principal, place), "x");
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/inbox",
      ...operation(options, {
        id: "listInbox",
        tag,
        needs: "x on agent {agent} or self",
        summary: "Lists an agent's inbox messages, newest first",
        description:
          "A `pending` message is shown in its next prompt in a room whose readers can all read `room`, its room of origin. It is `read` when that turn has replied.",
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
        summary: "Archives a message: prompts no longer show it",
        description: "For its recipient, and for callers with `x` on the recipient's house.",
        answers: { status: 200, schema: InboxMessage },
        errors: ["inbox.not-found"],
      }),
      request: { params: z.object({ id: InboxId }), body: jsonBody(PatchInbox) },
    }),
    async (c) => {
      const message = await inbox.get(c.req.valid("param").id);
      if (await looksAfter(c.env.principal, message)) return answer(await inbox.archive(message.id));
      throw new HearthError("inbox.not-found", `There is no message ${message.id} in any inbox.`, {
        hint: "List the inbox of an agent: hearth agent inbox AGENT",
      });
    },
  );
};
