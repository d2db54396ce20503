/** Operations on agents' inboxes. */
import { InboxId } from "../base/ids.ts";
import { InboxList, InboxMessage, InboxQuery, PatchInbox } from "../agents/inbox.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

export const inboxOperations = declareOperations("Agents", {
  list: {
    id: "listInbox",
    method: "GET",
    path: "/api/agents/{agent}/inbox",
    needs: AGENT_READ,
    summary: "Lists an agent's inbox messages, newest first",
    description:
      "A `pending` message is shown in its next prompt in a room whose readers can all read `room`, its room of origin. It is `read` when that turn has replied.",
    params: { agent: IdOrHandle },
    query: InboxQuery,
    answers: { status: 200, schema: InboxList },
    errors: ["record.not-found"],
  },
  archive: {
    id: "archiveInbox",
    method: "PATCH",
    path: "/api/inbox/{id}",
    needs: "credential",
    summary: "Archives a message: prompts no longer show it",
    description: "For its recipient, and for callers with `x` on the recipient's house.",
    params: { id: InboxId },
    body: PatchInbox,
    answers: { status: 200, schema: InboxMessage },
    errors: ["inbox.not-found"],
  },
});
