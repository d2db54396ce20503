/** Operations that stop and resume one agent, or all of them. */
import { Hold, HoldList, Resumed } from "../policy/hold.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE } from "./needs.ts";
import { declareOperations } from "./operation.ts";

const STOP_DESCRIPTION =
  "Everything has stopped when this answers, and nothing begins until it is resumed. Messages are kept and wait.";

export const stopOperations = declareOperations("Activations", {
  list: {
    id: "listStops",
    method: "GET",
    path: "/api/stops",
    needs: "credential",
    summary: "Lists the stopped agents",
    answers: { status: 200, schema: HoldList },
  },
  stop: {
    id: "stopAgent",
    method: "POST",
    path: "/api/agents/{agent}/stop",
    needs: AGENT_CHANGE,
    summary: "Stops an agent",
    description: STOP_DESCRIPTION,
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: Hold },
    errors: ["record.not-found"],
  },
  resume: {
    id: "resumeAgent",
    method: "POST",
    path: "/api/agents/{agent}/resume",
    needs: AGENT_CHANGE,
    summary: "Resumes a stopped agent",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: Resumed },
    errors: ["record.not-found"],
  },
  stopAll: {
    id: "stopAll",
    method: "POST",
    path: "/api/stop-all",
    needs: "x on home",
    summary: "Stops every agent",
    description: STOP_DESCRIPTION,
    answers: { status: 200, schema: Hold },
  },
  resumeAll: {
    id: "resumeAll",
    method: "POST",
    path: "/api/resume-all",
    needs: "x on home",
    summary: "Ends a stop of all agents; agents stopped individually stay stopped",
    refusesBody: true,
    answers: { status: 200, schema: Resumed },
  },
});
