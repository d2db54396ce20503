/** The calls about cells: where agents' hands are. */
import { CellInfo, CellList, CellsClosed } from "@hearth/protocol";
import { at, type Connection, requestJson } from "./request.ts";

export const createCellCalls = (connection: Connection) => ({
  /** Those that are open. For people. */
  list: (): Promise<readonly CellInfo[]> => requestJson(connection, CellList, "GET", "/api/cells"),
  /** The agent's cell for the people of a room, ahead of its first use. */
  open: (agent: string, room: string): Promise<CellInfo> =>
    requestJson(connection, CellInfo, "POST", at("/api/agents", agent, "cells"), { body: { room } }),
  /** All of the agent's, or the one for an audience; what it does there goes on in a new one. How many there were. */
  close: (agent: string, audience?: string): Promise<number> =>
    requestJson(connection, CellsClosed, "DELETE", at("/api/agents", agent, "cells"), { query: { audience } }).then(
      ({ closed }) => closed,
    ),
});
