/** Stores an optional value. If the storage is full, the value is not kept. */
import type { Storage } from "@hearth/client";

export const remember = (storage: Storage, name: string, text: string): void => {
  try {
    storage.set(name, text);
  } catch {
    // The storage is full.
  }
};
