/** Operations on the brain's parts of an agent's prompt. */
import { Name } from "./parameters.ts";
import { PromptQuery, PromptReport } from "../agents/prompt.ts";
import { AGENT_READ } from "./needs.ts";
import { operations } from "./operation.ts";

export const promptOperations = operations("Agents", {
  show: {
    id: "showPrompt",
    method: "GET",
    path: "/api/agents/{agent}/prompt",
    needs: AGENT_READ,
    summary: "Shows the brain's parts of an agent's prompt, as they are now",
    description:
      "In the order in which the model reads them; with `room`, as for a turn there. Tokens are estimated as a fourth of the UTF-8 bytes.",
    params: { agent: Name },
    query: PromptQuery,
    answers: { status: 200, schema: PromptReport },
    errors: ["record.not-found"],
  },
});
