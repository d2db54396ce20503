/** What was typed and not sent: kept on this device, so that no reload and no change of rooms loses it. */
import type { Storage } from "@hearth/client";
import type { EventId, RoomId } from "@hearth/protocol";

export interface Draft {
  /** The text of before; `undefined` when there is none. */
  read(): string | undefined;
  /** An empty text is no draft. */
  write(text: string): void;
  clear(): void;
}

/** What stands in the composer of a room. */
export const draftOf = (storage: Storage, room: RoomId): Draft => createDraft(storage, `draft:${room}`);

/** What an edited message is going to say. */
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
        // There is no space. The page still holds it, and an older draft would be worse than none.
        clear();
      }
    },
    clear,
  };
};
