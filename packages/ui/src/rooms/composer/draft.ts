/** Unsent text, stored on this device so that it survives reloads and navigation. */
import type { Storage } from "@hearth/client";
import type { EventId, RoomId } from "@hearth/protocol";

export interface Draft {
  /** Returns the stored text, or undefined if there is no draft. */
  read(): string | undefined;
  /** Stores the text. An empty text removes the draft. */
  write(text: string): void;
  clear(): void;
}

/** Returns the draft of a room's composer. */
export const draftOf = (storage: Storage, room: RoomId): Draft => createDraft(storage, `draft:${room}`);

/** Returns the id of the message that the draft of a room answers, stored like a draft. */
export const replyDraftOf = (storage: Storage, room: RoomId): Draft => createDraft(storage, `reply:${room}`);

/** Returns the draft of an edited message. */
export const editDraftOf = (storage: Storage, message: EventId): Draft => createDraft(storage, `edit:${message}`);

const createDraft = (storage: Storage, name: string): Draft => {
  const clear = (): void => storage.remove(name);
  return {
    read: () => storage.get(name),
    write(text) {
      if (text === "") return clear();
      try {
        storage.set(name, text);
      } catch {
        // The storage is full. This removes the outdated draft; the page still has the text.
        clear();
      }
    },
    clear,
  };
};
