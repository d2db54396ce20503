/** Cells: listing open ones, and opening and closing them for a person. */
import type { Principal } from "../../people/index.ts";
import { type Audience, type CellInfo, includesLevel } from "@hearth/protocol";
import { cellOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const cellRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { records, audienceOf } = areas.people;
  const { pool } = areas.cells;

  const mayRead = async (principal: Principal, { agent }: CellInfo): Promise<boolean> => {
    const record = await records.find("agent", agent);
    return record !== undefined && includesLevel(await access.levelOf(principal, record.house), "r");
  };

  bind(app, options, cellOperations, {
    list: async ({ principal }) => {
      // Only people may know what runs on the host.
      const all = (await access.self(principal)).content.kind === "human" ? pool.list() : [];
      const may = await Promise.all(all.map((cell) => mayRead(principal, cell)));
      return all.filter((_, index) => may[index]);
    },

    open: async ({ principal, params, body }) => {
      const agent = await access.findBot(principal, params.agent);
      const room = await access.find(principal, "room", body.room);
      return pool.open(agent, await audienceOf(agent, room));
    },

    close: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      const closed = await pool.evict(id, query.audience as Audience | undefined);
      return { closed };
    },
  });
};
