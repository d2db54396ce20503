/** Calls about single messages of a room. */
import type { EventId, ReactToMessage, RoomRecord, StoredDeletion, StoredEdit, StoredReaction } from "@hearth/protocol";
import { chatOperations, messageOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createMessageCalls = (connection: Connection) => {
  const messages = createCalls(connection, messageOperations);
  const chats = createCalls(connection, chatOperations);
  return {
    editMessage: (room: string, message: EventId, text: string): Promise<StoredEdit> =>
      messages.edit(room, message, { text }),
    /** Resolves after every activation that the message caused has ended. */
    deleteMessage: (room: string, message: EventId): Promise<StoredDeletion> => messages.remove(room, message),
    /** Sets whether the caller's emoji is on the message. */
    reactTo: (room: string, message: EventId, reaction: ReactToMessage): Promise<StoredReaction> =>
      messages.react(room, message, reaction),
    /** Begins a chat with the same two members that continues after this message. */
    branch: (room: string, message: EventId): Promise<RoomRecord> => chats.branch(room, message),
    /** Returns the offset of the first event at this instant or later, if any. */
    offsetAt: async (room: string, time: number): Promise<number | undefined> =>
      (await messages.findAt(room, { time })).offset,
  };
};
