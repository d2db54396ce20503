/** Stores a value that the reader can work without. */
import type { Storage } from "../storage.ts";

/** Stores the value. If the storage is full, the value lasts until the page is closed. */
export const storeIfPossible = (storage: Pick<Storage, "set">, name: string, value: string): void => {
  try {
    storage.set(name, value);
  } catch {
    // The storage is full. The caller has the value in memory.
  }
};
