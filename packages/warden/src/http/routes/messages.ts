/** Saying something in a room. */
import { createRoute } from "@hono/zod-openapi";
import { PostMessage, RoomId, StoredMessage } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import type { NewMessage } from "../../rooms/rooms.ts";
import { type App, jsonBody, jsonOperation, Name, type RouteOptions } from "./route.ts";

export const messageRoutes = (app: App, options: RouteOptions): void => {
  const { rooms, records } = options;

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/rooms/{room}/messages",
      ...jsonOperation(options, {
        id: "postMessage",
        tag: "Messages",
        who: "agent",
        summary: "Says something in a room",
        description:
          "Durable when it answers. The same `idempotencyKey` of the same author in the same room gives the first message again.",
        answers: { status: 201, schema: StoredMessage, text: "The message where it stands in the room." },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ room: Name }), body: jsonBody(PostMessage) },
    }),
    async (c) => {
      const named = c.req.valid("param").room;
      const byId = RoomId.safeParse(named);
      const room = byId.success ? byId.data : (await records.get("room", named)).id;
      return answer(await rooms.post(room, toNewMessage(c.req.valid("json")), c.env.principal.agent), 201);
    },
  );
};

/** Without the fields that are not there. */
export const toNewMessage = ({ text, idempotencyKey, replyTo }: PostMessage): NewMessage => ({
  text,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(replyTo === undefined ? {} : { replyTo }),
});
