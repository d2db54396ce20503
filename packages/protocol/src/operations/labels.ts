/** Operations on the labels of an agent's workspace files. */
import { ClearLabelsQuery, LabelsCleared, WorkspaceLabelList } from "../agents/brain.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE, AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const labelOperations = declareOperations("Brains", {
  labels: {
    id: "listWorkspaceLabels",
    method: "GET",
    path: "/api/agents/{agent}/brain/labels",
    needs: AGENT_READ,
    summary: "Lists which workspace files hold text of others, and its sources",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: WorkspaceLabelList },
    errors: ["record.not-found", "brain.not-found"],
  },
  clearLabels: {
    id: "clearWorkspaceLabels",
    method: "DELETE",
    path: "/api/agents/{agent}/brain/labels",
    needs: AGENT_CHANGE,
    summary: "Marks files at a path of the workspace, and below it, as trusted",
    description: "Requires a person, who should have reviewed them. `.` is the whole workspace.",
    params: { agent: IdOrHandle },
    query: ClearLabelsQuery,
    answers: { status: 200, schema: LabelsCleared },
    errors: ["record.not-found", "brain.not-found"],
  },
});
