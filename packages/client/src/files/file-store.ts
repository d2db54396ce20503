/** Stores files on this device until the house has them. */

export interface StoredFile {
  readonly name: string;
  readonly content: Blob;
}

/**
 * Keeps files under keys across reloads. Contract, checked by `fileStoreConformance`:
 * - a file that was put is returned, byte for byte, until it is removed
 * - a missing key is `undefined`, and its removal does nothing
 */
export interface FileStore {
  put(key: string, file: StoredFile): Promise<void>;
  get(key: string): Promise<StoredFile | undefined>;
  remove(key: string): Promise<void>;
}

/**
 * Creates a store in memory, which the page loses when it closes. For tests, and for browsers that
 * cannot store files.
 */
export const createMemoryFileStore = (): FileStore => {
  const files = new Map<string, StoredFile>();
  return {
    put: async (key, file) => {
      files.set(key, file);
    },
    get: async (key) => files.get(key),
    remove: async (key) => {
      files.delete(key);
    },
  };
};
