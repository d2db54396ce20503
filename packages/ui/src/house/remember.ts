/** Stores an optional value; full storage drops it when the page closes. */
import type { Storage } from "@hearth/client";

export const remember = (storage: Storage, name: string, text: string): void => {
  try {
    storage.set(name, text);
  } catch {
    // No space.
  }
};
