/** Posting, editing and deleting messages of a room. */
import type { Principal, NewMessage } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  EditMessage,
  EventId,
  PostMessage,
  type RoomId,
  StoredDeletion,
  StoredEdit,
  StoredMessage,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { requireReady } from "../require-ready.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const MessagePath = z.object({ room: Name, message: EventId });

export const messageRoutes = (app: App, options: RouteOptions): void => {
  const { rooms, access, activations } = options;
  const tag = "Messages";

  const roomNamed = async (principal: Principal, name: string): Promise<RoomId> =>
    (await access.find(principal, "room", name)).id;

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/rooms/{room}/messages",
      ...jsonOperation(options, {
        id: "postMessage",
        tag,
        needs: "w on room {room}",
        summary: "Posts a message to a room",
        description:
          "The message is durable when this answers. A repeat with the same `idempotencyKey`, author and room returns the first message.",
        answers: { status: 201, schema: StoredMessage, text: "The message with its offset in the room." },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ room: Name }), body: jsonBody(PostMessage) },
    }),
    async (c) => {
      await requireReady(options.ready);
      const room = await roomNamed(c.env.principal, c.req.valid("param").room);
      return answer(await rooms.post(room, toNewMessage(c.req.valid("json")), c.env.principal.agent), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: "/api/rooms/{room}/messages/{message}",
      ...jsonOperation(options, {
        id: "editMessage",
        tag,
        needs: "w on room {room}",
        summary: "Edits one of your messages",
        description: "Wakes no agent. Agents that wake later read the new text.",
        answers: { status: 200, schema: StoredEdit, text: "The edit with its offset in the room." },
        errors: ["record.not-found", "message.not-found"],
      }),
      request: { params: MessagePath, body: jsonBody(EditMessage) },
    }),
    async (c) => {
      const { room, message } = c.req.valid("param");
      const { text } = c.req.valid("json");
      return answer(await rooms.edit(await roomNamed(c.env.principal, room), message, text, c.env.principal.agent));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/rooms/{room}/messages/{message}",
      ...operation(options, {
        id: "deleteMessage",
        tag,
        needs: "w on room {room}",
        summary: "Deletes a message",
        description:
          "For its author and the room's administrators. Everything it woke has stopped when this answers; replies to it stay.",
        answers: { status: 200, schema: StoredDeletion, text: "The deletion with its offset in the room." },
        errors: ["record.not-found", "message.not-found"],
      }),
      request: { params: MessagePath },
    }),
    async (c) => {
      const { room, message } = c.req.valid("param");
      const deletion = await rooms.remove(await roomNamed(c.env.principal, room), message, c.env.principal.agent);
      await activations.stopWoken(message);
      return answer(deletion);
    },
  );
};

/** Omits absent fields. */
export const toNewMessage = ({ text, idempotencyKey, replyTo }: PostMessage): NewMessage => ({
  text,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(replyTo === undefined ? {} : { replyTo }),
});
