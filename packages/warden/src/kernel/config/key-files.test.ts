import { keyFilesConformance } from "./key-files.conformance.ts";
import { createMemoryKeyFiles } from "./key-files.ts";

keyFilesConformance("memory", async () => {
  const keys = createMemoryKeyFiles();
  return { keys, read: async (path) => keys.files.get(path), [Symbol.asyncDispose]: async () => {} };
});
