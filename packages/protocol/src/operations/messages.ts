/** Operations on the messages of a room. */
import { EditMessage, InstantQuery, PostMessage, ReactToMessage, RoomPlace } from "../house/messages.ts";
import { EventId } from "../base/ids.ts";
import { IdOrHandle } from "./parameters.ts";
import { StoredDeletion, StoredEdit, StoredMessage, StoredReaction } from "../events/stored.ts";
import { declareOperations } from "./operation.ts";

export const messageOperations = declareOperations("Messages", {
  post: {
    id: "postMessage",
    method: "POST",
    path: "/api/rooms/{room}/messages",
    needs: "w on room {room}",
    summary: "Posts a message to a room",
    description:
      "The message is durable when this answers. `attachments` names complete uploads of the caller. A repeat with the same `idempotencyKey`, author and room returns the first message.",
    params: { room: IdOrHandle },
    body: PostMessage,
    answers: { status: 201, schema: StoredMessage, text: "The message with its offset in the room." },
    errors: ["record.not-found", "upload.not-found", "upload.incomplete"],
  },
  findAt: {
    id: "findMessageAt",
    method: "GET",
    path: "/api/rooms/{room}/at",
    needs: "r on room {room}",
    summary: "Finds the place of an instant in a room",
    description: "Takes about as many reads as the logarithm of the room's length.",
    params: { room: IdOrHandle },
    query: InstantQuery,
    answers: { status: 200, schema: RoomPlace },
    errors: ["record.not-found"],
  },
  edit: {
    id: "editMessage",
    method: "PATCH",
    path: "/api/rooms/{room}/messages/{message}",
    needs: "w on room {room}",
    summary: "Edits one of your messages",
    description: "Wakes no agent. Agents that wake later read the new text.",
    params: { room: IdOrHandle, message: EventId },
    body: EditMessage,
    answers: { status: 200, schema: StoredEdit, text: "The edit with its offset in the room." },
    errors: ["record.not-found", "message.not-found"],
  },
  react: {
    id: "reactToMessage",
    method: "PUT",
    path: "/api/rooms/{room}/messages/{message}/reactions",
    needs: "w on room {room}",
    summary: "Adds your emoji to a message, or removes it",
    description:
      "Wakes no agent. A repeat changes nothing and returns the event of the first request. Agents read new reactions to their messages with the next message.",
    params: { room: IdOrHandle, message: EventId },
    body: ReactToMessage,
    answers: { status: 200, schema: StoredReaction, text: "The reaction with its offset in the room." },
    errors: ["record.not-found", "message.not-found"],
  },
  remove: {
    id: "deleteMessage",
    method: "DELETE",
    path: "/api/rooms/{room}/messages/{message}",
    needs: "w on room {room}",
    summary: "Deletes a message",
    description:
      "For its author and the room's administrators. Everything it woke has stopped when this answers; replies to it stay.",
    params: { room: IdOrHandle, message: EventId },
    answers: { status: 200, schema: StoredDeletion, text: "The deletion with its offset in the room." },
    errors: ["record.not-found", "message.not-found"],
  },
});
