/** Operations on the brain's parts of an agent's prompt. */
import { IdOrHandle } from "./parameters.ts";
import { PromptQuery, PromptReport } from "../agents/prompt.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const promptOperations = declareOperations("Agents", {
  show: {
    id: "showPrompt",
    method: "GET",
    path: "/api/agents/{agent}/prompt",
    needs: AGENT_READ,
    summary: "Shows the brain's parts of an agent's prompt, as they are now",
    description:
      "In the order in which the model reads them; with `room`, as for a turn there. Tokens are estimated as a fourth of the UTF-8 bytes.",
    params: { agent: IdOrHandle },
    query: PromptQuery,
    answers: { status: 200, schema: PromptReport },
    errors: ["record.not-found"],
  },
});
