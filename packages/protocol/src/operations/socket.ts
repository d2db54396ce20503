/** The WebSocket as an operation: an upgrade with no JSON answer. */
import { declareOperations } from "./operation.ts";

export const socketOperations = declareOperations("Streams", {
  open: {
    id: "socket",
    method: "GET",
    path: "/ws",
    needs: "credential",
    summary: "Opens a WebSocket for all requests and subscriptions",
    description:
      "Requests with ids: `subscribe`, `unsubscribe`, `post`, `stop`, `ping`. Subscriptions resume by offset.",
    answers: { status: 101, text: "The socket is open." },
  },
});
