/** Cells: listing open ones, and opening and closing them for a person. */
import type { Principal } from "../../people/index.ts";
import { ActivationId, type Audience, type CellInfo, includesLevel, isHearthError } from "@hearth/protocol";
import { cellOperations } from "@hearth/protocol/operations";
import { type App, bind, type RouteOptions } from "./route.ts";

export const cellRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { records, audienceOf } = areas.people;
  const { pool } = areas.cells;

  /** Returns the cell with its visible activations, or an empty list if the principal may not see the cell. */
  const toVisibleCells = async (
    principal: Principal,
    readable: ReadonlySet<string>,
    cell: CellInfo,
  ): Promise<readonly CellInfo[]> => {
    const { agent, audience } = cell;
    const record = await records.find("agent", agent);
    const level = record === undefined ? undefined : await access.levelOf(principal, record.house);
    const isOfVisibleRoom = audience === "private" || readable.has(audience);
    // An administrator may close every cell of the agent.
    if (!includesLevel(level, isOfVisibleRoom ? "r" : "x")) return [];
    const areVisible = await Promise.all(cell.activations.map((id) => isVisible(principal, id)));
    return [{ ...cell, activations: cell.activations.filter((_, index) => areVisible[index] === true) }];
  };

  const isVisible = async (principal: Principal, name: string): Promise<boolean> => {
    const { data: id } = ActivationId.safeParse(name);
    if (id === undefined) return false;
    try {
      await access.activation(principal, id, "r");
      return true;
    } catch (error) {
      if (isHearthError(error, "activation.not-found")) return false;
      throw error;
    }
  };

  bind(app, options, cellOperations, {
    list: async ({ principal }) => {
      // Only people may know what runs on the host.
      const cells = (await access.self(principal)).content.kind === "human" ? pool.list() : [];
      const readable = new Set((await access.readableRooms(principal)).map((room) => `room:${room}`));
      return (await Promise.all(cells.map((cell) => toVisibleCells(principal, readable, cell)))).flat();
    },

    open: async ({ principal, params, body }) => {
      const agent = await access.findBot(principal, params.agent);
      const room = await access.find(principal, "room", body.room);
      return pool.open(agent, await audienceOf(agent, room));
    },

    close: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "agent", params.agent);
      const closedCount = await pool.evict(id, query.audience as Audience | undefined);
      return { closed: closedCount };
    },
  });
};
