/** Keeps what is nice to have and no loss: a storage without space forgets it when the page closes. */
import type { Storage } from "@hearth/client";

export const remember = (storage: Storage, name: string, text: string): void => {
  try {
    storage.set(name, text);
  } catch {
    // No space.
  }
};
