/** Compactions of an agent's sessions: listing them with their summaries, and requesting one. */
import { createRoute } from "@hono/zod-openapi";
import { CompactAgent, Compaction, CompactionList, CompactionQuery } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });

export const compactionRoutes = (app: App, options: RouteOptions): void => {
  const { access, sessions } = options;
  const tag = "Agents";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/compactions",
      ...operation(options, {
        id: "listCompactions",
        tag,
        needs: "x on agent {agent} or self",
        summary: "Lists the compactions of an agent's sessions in visible rooms, newest first",
        description:
          "The original messages stay in the room: its events after `range.after`, up to and including `range.through`.",
        answers: { status: 200, schema: CompactionList },
        errors: ["record.not-found"],
      }),
      request: { params: AgentPath, query: CompactionQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id } = await access.findBot(principal, c.req.valid("param").agent);
      const { room, limit } = c.req.valid("query");
      const rooms =
        room === undefined ? await access.readableRooms(principal) : [(await access.find(principal, "room", room)).id];
      return answer(await sessions.list(id, rooms, limit));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/agents/{agent}/compact",
      ...jsonOperation(options, {
        id: "compactAgent",
        tag,
        needs: "x on agent {agent}",
        summary: "Makes the agent's next turn in a room begin with a compaction",
        description: "A pending compaction stays as it is. Constraints are part of policy and are not compacted.",
        answers: { status: 200, schema: Compaction },
        errors: ["record.not-found"],
      }),
      request: { params: AgentPath, body: jsonBody(CompactAgent) },
    }),
    async (c) => {
      const { principal } = c.env;
      const agent = await access.findBot(principal, c.req.valid("param").agent);
      const { room, keep } = c.req.valid("json");
      const { id } = await access.find(principal, "room", room);
      return answer(await sessions.ask(agent.id, id, keep));
    },
  );
};
