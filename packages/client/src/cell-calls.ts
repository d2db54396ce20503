/** Calls about cells, the sandboxes of agents. */
import { CellInfo, CellList, CellsClosed } from "@hearth/protocol";
import { at, type Connection, requestJson } from "./request.ts";

export const createCellCalls = (connection: Connection) => ({
  /** The open cells. For people only. */
  list: (): Promise<readonly CellInfo[]> => requestJson(connection, CellList, "GET", "/api/cells"),
  /** Opens the agent's cell for the people of a room, ahead of its first use. */
  open: (agent: string, room: string): Promise<CellInfo> =>
    requestJson(connection, CellInfo, "POST", at("/api/agents", agent, "cells"), { body: { room } }),
  /**
   * Closes the cell for an audience, or all cells of the agent; running work continues in a new
   * cell. Returns how many were closed.
   */
  close: (agent: string, audience?: string): Promise<number> =>
    requestJson(connection, CellsClosed, "DELETE", at("/api/agents", agent, "cells"), { query: { audience } }).then(
      ({ closed }) => closed,
    ),
});
