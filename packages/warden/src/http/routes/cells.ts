/** Cells: listing open ones, and opening and closing them for a person. */
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  type Audience,
  AudienceName,
  CellInfo,
  CellList,
  CellsClosed,
  OpenCell,
  includesLevel,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });

export const cellRoutes = (app: App, options: RouteOptions): void => {
  const { access, cells, records } = options;
  const tag = "Cells";

  const mayRead = async (principal: Principal, { agent }: CellInfo): Promise<boolean> => {
    const record = await records.find("agent", agent);
    return record !== undefined && includesLevel(await access.levelOf(principal, record.house), "r");
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/cells",
      ...operation(options, {
        id: "listCells",
        tag,
        needs: "credential",
        summary: "Lists the open cells",
        description: "For people, with the agents whose house they may read. Bots get an empty list.",
        answers: { status: 200, schema: CellList },
      }),
    }),
    async (c) => {
      const { principal } = c.env;
      // Only people may know what runs on the host.
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
        summary: "Opens the agent's cell for a room in advance",
        description: "If the limit is reached, an idle cell is closed first.",
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
        summary: "Closes the agent's cells, or the one for an audience",
        description: "Running work continues in a new cell.",
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
