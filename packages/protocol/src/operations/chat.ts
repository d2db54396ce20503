/** Operations on direct rooms, and one message with its reply. */
import { ChatAnswer, ChatRequest } from "../house/messages.ts";
import { ChangeRoomView, RenameRoom, RoomView, RoomViews } from "../people/chat.ts";
import { EventId } from "../base/ids.ts";
import { IdOrHandle } from "./parameters.ts";
import { RoomRecord } from "../people/record.ts";
import { declareOperations } from "./operation.ts";

export const chatOperations = declareOperations("Chat", {
  directRoom: {
    id: "directRoom",
    method: "POST",
    path: "/api/agents/{agent}/room",
    needs: "w on agent {agent}",
    summary: "Finds your direct room with an agent; creates it on first use",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: RoomRecord },
    errors: ["record.not-found"],
  },
  newChat: {
    id: "newChat",
    method: "POST",
    path: "/api/agents/{agent}/chats",
    needs: "w on agent {agent}",
    summary: "Begins another direct room with an agent",
    description:
      "It has the same two members as the first one, which stays the default. Its first message gives it a title. A chat without events is used before another one is created.",
    params: { agent: IdOrHandle },
    refusesBody: true,
    answers: { status: 200, schema: RoomRecord },
    errors: ["record.not-found"],
  },
  branch: {
    id: "branchChat",
    method: "POST",
    path: "/api/rooms/{room}/messages/{message}/branch",
    needs: "w on room {room}",
    summary: "Begins a chat that continues after a message of another chat",
    description:
      "For members of a direct room. The new room has the same members, and copies of up to 1,000 messages up to this one, with their authors, times, files and labels. A copy wakes no agent. `branch` of the room names its origin.",
    params: { room: IdOrHandle, message: EventId },
    refusesBody: true,
    answers: { status: 200, schema: RoomRecord },
    errors: ["record.not-found", "record.invalid", "message.not-found"],
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

export const roomViewOperations = declareOperations("Chat", {
  views: {
    id: "listRoomViews",
    method: "GET",
    path: "/api/room-views",
    needs: "credential",
    summary: "Lists the rooms that you pinned or archived",
    answers: { status: 200, schema: RoomViews },
  },
  setView: {
    id: "changeRoomView",
    method: "PATCH",
    path: "/api/rooms/{room}/view",
    needs: "r on room {room}",
    summary: "Pins or archives a room for yourself, or undoes it",
    description:
      "Changes nothing for other members. An archived room comes back with the next event in it. Search finds it as before.",
    params: { room: IdOrHandle },
    body: ChangeRoomView,
    answers: { status: 200, schema: RoomView },
    errors: ["record.not-found"],
  },
  rename: {
    id: "renameRoom",
    method: "PUT",
    path: "/api/rooms/{room}/title",
    needs: "w on room {room}",
    summary: "Gives a direct room a title",
    description: "All members see it. `null` removes it. Its name and handle stay. Other rooms have a name instead.",
    params: { room: IdOrHandle },
    body: RenameRoom,
    answers: { status: 200, schema: RoomRecord },
    errors: ["record.not-found", "record.invalid"],
  },
});
