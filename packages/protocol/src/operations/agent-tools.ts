/** The operation on the tools of an agent. */
import { AgentToolList } from "../agents/agent-state.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const agentToolOperations = declareOperations("Agents", {
  list: {
    id: "listAgentTools",
    method: "GET",
    path: "/api/agents/{agent}/tools",
    needs: AGENT_READ,
    summary: "Lists all tools, and which of them the agent has",
    description:
      "Change `tools` of the agent to turn them on and off. A tool that lacks a part of the house says so in `missing`.",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: AgentToolList },
    errors: ["record.not-found"],
  },
});
