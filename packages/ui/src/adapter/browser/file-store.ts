/** Files in the browser's database, so that they survive reloads and lost connections. */
import { createMemoryFileStore, type FileStore, type StoredFile } from "@hearth/client";

const DATABASE = "hearth-files";
const FILES = "files";

/** If the browser denies a database, files last until the page closes. */
export const createBrowserFileStore = (open: () => IDBFactory): FileStore => {
  const memory = createMemoryFileStore();
  let databasePromise: Promise<IDBDatabase | undefined> | undefined;

  const openDatabase = async (): Promise<IDBDatabase | undefined> => {
    try {
      const request = open().open(DATABASE, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(FILES);
      };
      return await resultOf(request);
    } catch {
      // The browser denies storage, for example in a private window.
      return undefined;
    }
  };

  const withFiles = async <Value>(
    mode: IDBTransactionMode,
    createRequest: (files: IDBObjectStore) => IDBRequest<Value>,
    callMemory: () => Promise<Value>,
  ): Promise<Value> => {
    const database = await (databasePromise ??= openDatabase());
    return database === undefined
      ? callMemory()
      : resultOf(createRequest(database.transaction(FILES, mode).objectStore(FILES)));
  };

  return {
    async put(key, file) {
      const callMemory = async (): Promise<IDBValidKey> => {
        await memory.put(key, file);
        return key;
      };
      await withFiles("readwrite", (files) => files.put(file, key), callMemory);
    },
    get: (key) =>
      withFiles<StoredFile | undefined>(
        "readonly",
        (files) => files.get(key),
        () => memory.get(key),
      ),
    async remove(key) {
      const callMemory = async (): Promise<undefined> => {
        await memory.remove(key);
        return undefined;
      };
      await withFiles("readwrite", (files) => files.delete(key), callMemory);
    },
  };
};

const resultOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });
