/** Operations on compactions of an agent's sessions. */
import { CompactAgent, Compaction, CompactionList, CompactionQuery } from "../agents/compaction.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE, AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const compactionOperations = declareOperations("Agents", {
  list: {
    id: "listCompactions",
    method: "GET",
    path: "/api/agents/{agent}/compactions",
    needs: AGENT_READ,
    summary: "Lists the compactions of an agent's sessions in visible rooms, newest first",
    description:
      "The original messages stay in the room: its events after `range.after`, up to and including `range.through`.",
    params: { agent: IdOrHandle },
    query: CompactionQuery,
    answers: { status: 200, schema: CompactionList },
    errors: ["record.not-found"],
  },
  compact: {
    id: "compactAgent",
    method: "POST",
    path: "/api/agents/{agent}/compact",
    needs: AGENT_CHANGE,
    summary: "Makes the agent's next turn in a room begin with a compaction",
    description: "A pending compaction stays as it is. Constraints are part of policy and are not compacted.",
    params: { agent: IdOrHandle },
    body: CompactAgent,
    answers: { status: 200, schema: Compaction },
    errors: ["record.not-found"],
  },
});
