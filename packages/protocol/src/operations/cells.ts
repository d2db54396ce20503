/** Operations on cells: listing open ones, and opening and closing them. */
import { z } from "zod";
import { AudienceName, CellInfo, CellList, CellsClosed, OpenCell } from "../agents/cell.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const cellOperations = declareOperations("Cells", {
  list: {
    id: "listCells",
    method: "GET",
    path: "/api/cells",
    needs: "credential",
    summary: "Lists the open cells",
    description: "For people, with the agents whose house they may read. Bots get an empty list.",
    answers: { status: 200, schema: CellList },
  },
  open: {
    id: "openCell",
    method: "POST",
    path: "/api/agents/{agent}/cells",
    needs: AGENT_CHANGE,
    summary: "Opens the agent's cell for a room in advance",
    description: "If the limit is reached, an idle cell is closed first.",
    params: { agent: IdOrHandle },
    body: OpenCell,
    answers: { status: 200, schema: CellInfo },
    errors: ["record.not-found", "cell.unavailable"],
  },
  close: {
    id: "closeCells",
    method: "DELETE",
    path: "/api/agents/{agent}/cells",
    needs: AGENT_CHANGE,
    summary: "Closes the agent's cells, or the one for an audience",
    description: "Running work continues in a new cell.",
    params: { agent: IdOrHandle },
    query: z.object({ audience: AudienceName.optional() }),
    answers: { status: 200, schema: CellsClosed },
    errors: ["record.not-found"],
  },
});
