/** Where agents' hands are: the cells that are open, and their beginning and end by a person's word. */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { type Audience, AudienceName, CellInfo, CellList, CellsClosed, OpenCell, reaches } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });

export const cellRoutes = (app: App, options: RouteOptions): void => {
  const { access, cells, records } = options;
  const tag = "Cells";

  const mayRead = async (principal: Principal, { agent }: CellInfo): Promise<boolean> => {
    const record = await records.find("agent", agent);
    return record !== undefined && reaches(await access.levelOf(principal, record.house), "r");
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/cells",
      ...operation(options, {
        id: "listCells",
        tag,
        needs: "credential",
        summary: "Lists the cells that are open",
        description: "To people, of agents whose house they may read. Bots are told of none.",
        answers: { status: 200, schema: CellList },
      }),
    }),
    async (c) => {
      const { principal } = c.env;
      // What runs where on the host is for people to know.
      const all = (await access.self(principal)).content.kind === "human" ? cells.list() : [];
      const may = await Promise.all(all.map((cell) => mayRead(principal, cell)));
      return answer(all.filter((_, index) => may[index]));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/agents/{agent}/cells",
      ...jsonOperation(options, {
        id: "openCell",
        tag,
        needs: "x on agent {agent}",
        summary: "Opens the agent's cell for a room, ahead of its first use",
        description: "Where as many are open as may be, one that rests makes way.",
        answers: { status: 200, schema: CellInfo },
        errors: ["record.not-found", "cell.unavailable"],
      }),
      request: { params: AgentPath, body: jsonBody(OpenCell) },
    }),
    async (c) => {
      const { principal } = c.env;
      const agent = await access.findBot(principal, c.req.valid("param").agent);
      return answer(await cells.open(agent, await access.find(principal, "room", c.req.valid("json").room)));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/agents/{agent}/cells",
      ...operation(options, {
        id: "closeCells",
        tag,
        needs: "x on agent {agent}",
        summary: "Ends the agent's cells, or the one for an audience",
        description: "What it is doing there goes on in a new one.",
        answers: { status: 200, schema: CellsClosed },
        errors: ["record.not-found"],
      }),
      request: { params: AgentPath, query: z.object({ audience: AudienceName.optional() }) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id } = await access.find(principal, "agent", c.req.valid("param").agent);
      const closed = await cells.close(id, c.req.valid("query").audience as Audience | undefined);
      return answer({ closed } satisfies z.infer<typeof CellsClosed>);
    },
  );
};
