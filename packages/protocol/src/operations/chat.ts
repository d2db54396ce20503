/** Operations on direct rooms, and one message with its reply. */
import { ChatAnswer, ChatRequest } from "../house/api.ts";
import { Name } from "./parameters.ts";
import { RoomRecord } from "../people/record.ts";
import { operations } from "./operation.ts";

export const chatOperations = operations("Chat", {
  directRoom: {
    id: "directRoom",
    method: "POST",
    path: "/api/agents/{agent}/room",
    needs: "w on agent {agent}",
    summary: "Finds your direct room with an agent; creates it on first use",
    params: { agent: Name },
    answers: { status: 200, schema: RoomRecord },
    errors: ["record.not-found"],
  },
  chat: {
    id: "chat",
    method: "POST",
    path: "/api/chat",
    needs: "w on agent in body",
    summary: "Sends a message to a bot and waits for its reply",
    description:
      "Uses your direct room. If the activation fails, answers with its error. If its next try is over 10 s away, answers with " +
      "`retryAt` and an empty `result`; the reply will be in the room.",
    body: ChatRequest,
    answers: { status: 200, schema: ChatAnswer },
    errors: [
      "record.not-found",
      "activation.failed",
      "activation.stopped",
      "provider.auth",
      "provider.rate-limited",
      "provider.timeout",
    ],
  },
});
